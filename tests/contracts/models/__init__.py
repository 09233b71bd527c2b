"""Slow and obvious second models of the games, written from the rules alone: what the referee is compared with."""
