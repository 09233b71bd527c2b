"""The web edge: what the players' phones see and press. It talks to the table through `Feed` and `Actions` only."""
