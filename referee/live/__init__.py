"""Where seeing and judging meet: the only part of the referee that knows of the eyes."""
