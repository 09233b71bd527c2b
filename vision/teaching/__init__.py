"""Teaching the eyes: scenes, renderer, training, export, evaluation."""
