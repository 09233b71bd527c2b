"""Rule cases: small refereeing situations with the right answer, read from YAML and judged.

The format is that of `tests/cases/README.md`. A case names a position, actions in order and what must be true of the
verdict on the last action; only the keys that it gives are compared.
"""

from referee.cases.actions import as_action, as_move
from referee.cases.judging import CaseResult, Outcome, report, run_case, run_cases
from referee.cases.reading import Case, CaseFile, load_cases, read_cases

__all__ = [
    "Case",
    "CaseFile",
    "CaseResult",
    "Outcome",
    "as_action",
    "as_move",
    "load_cases",
    "read_cases",
    "report",
    "run_case",
    "run_cases",
]
