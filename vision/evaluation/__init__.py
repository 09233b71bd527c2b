"""Measuring the eyes on labelled photographs that nothing was trained on."""
