"""The referee: changes on the table become moves, moves become a log, the log becomes verdicts on phones."""

__version__ = "0.1.0"
