"""Errors of the web edge, one branch per decision of the caller.

WebError                 anything that somebody can do something about
├── AddressError         the server cannot listen there: other port, other address
├── PageError            a file of the phone page is missing or broken: reinstall
└── RequestError         a phone asked for what it cannot get: answered with a status, a sentence and a hint
"""

from __future__ import annotations

__all__ = ["AddressError", "PageError", "RequestError", "WebError"]


class WebError(Exception):
    """What is wrong and where (`str(error)`), and what to do about it (`hint`)."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class AddressError(WebError):
    """The address or the port cannot be listened on."""


class PageError(WebError):
    """A file of the phone page is missing or not what it should be."""


class RequestError(WebError):
    """A request that is answered with `status`; `key` names its sentence in the catalogues `pages/texts/*.json`."""

    def __init__(self, status: int, key: str, **facts: object) -> None:
        super().__init__(f"{status} {key}")
        self.status = status
        self.key = key
        self.facts = facts
