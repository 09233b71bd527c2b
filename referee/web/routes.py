"""The endpoints. Each is a few lines: what they need comes from the `Site`, what they refuse is a `RequestError`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from io import BytesIO
from typing import Annotated

import segno
from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response

from referee.games import find_game
from referee.rulepage import rule_sheet
from referee.web.actions import Action, ActionKind, ActionResult, ActionStatus, Amendment, Once
from referee.web.errors import RequestError
from referee.web.guard import LOOPBACK
from referee.web.pairing import COOKIE, Role
from referee.web.site import Site
from referee.web.texts import PAGES, choose_language, say

__all__ = ["router"]

router = APIRouter()
RETRY_MS = 2000

Name = Annotated[str, Field(min_length=1, max_length=40)]
_NEEDS: dict[ActionKind, tuple[str, ...]] = {
    "go": (),
    "call": ("player",),
    "stuck": ("player",),
    "answer": ("seq", "ask", "value"),
    "amend": ("seq", "value"),
    "retract": ("seq",),
}


class AmendmentBody(BaseModel):
    """How an entry should read."""

    model_config = ConfigDict(extra="forbid")
    cards: list[Name] = Field(default=[], max_length=12)
    player: Name | None = None


class ActionBody(BaseModel):
    """One press, as `Action`; the role comes from the cookie."""

    model_config = ConfigDict(extra="forbid")
    kind: ActionKind
    key: str = Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")
    player: Name | None = None
    seq: int | None = Field(default=None, ge=0)
    ask: Name | None = None
    value: Annotated[str, Field(min_length=1, max_length=80)] | AmendmentBody | None = None


class PairBody(BaseModel):
    """The token of the QR code."""

    model_config = ConfigDict(extra="forbid")
    token: str = Field(max_length=64)


def site_of(request: Request) -> Site:
    """The table that this app serves."""
    site: Site = request.app.state.site
    return site


def role_of(request: Request) -> Role:
    """The role in the request's cookie."""
    return site_of(request).pairing.role(request.cookies.get(COOKIE))


def room(request: Request) -> None:
    """Refuses one more stream when the house is full; answered before the stream begins."""
    if site_of(request).feed.full:
        raise RequestError(503, "full")


SiteNow = Annotated[Site, Depends(site_of)]
RoleNow = Annotated[Role, Depends(role_of)]


@router.get("/")
async def page() -> FileResponse:
    """The phone page."""
    return FileResponse(PAGES / "index.html", headers={"cache-control": "no-cache"})


@router.get("/events", response_class=EventSourceResponse, dependencies=[Depends(room)])
async def events(
    site: SiteNow,
    last_event_id: Annotated[str | None, Header(max_length=80)] = None,
    after: Annotated[str | None, Query(max_length=80)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """The stream. The header is newer than the query: a browser repeats the query when it reconnects by itself."""
    yield ServerSentEvent(comment="wrongcard", retry=RETRY_MS)
    async for event in site.feed.follow(last_event_id or after):
        yield ServerSentEvent(event=event.name, raw_data=event.json, id=event.id)


@router.get("/api/view")
async def view(site: SiteNow) -> Response:
    """The view that was published last."""
    if not site.feed.view_json:
        raise RequestError(503, "early")
    return Response(site.feed.view_json, media_type="application/json", headers={"cache-control": "no-store"})


@router.get("/api/rules")
async def rules(site: SiteNow) -> Response:
    """The rules of the game that is played, with its house rules, in every language."""
    view = site.feed.view
    if view is None:
        raise RequestError(503, "early")
    sheet = rule_sheet(find_game(view["game"]), view.get("options", {}))
    return JSONResponse(sheet, headers={"cache-control": "no-store"})


@router.get("/api/me")
async def me(role: RoleNow) -> dict[str, str]:
    """What this phone may do."""
    return {"role": role}


@router.post("/api/pair")
async def pair(body: PairBody, request: Request, site: SiteNow) -> Response:
    """Trade the QR code's token for a session cookie."""
    role = site.pairing.pair(body.token, request.client.host if request.client else "")
    response = JSONResponse({"role": role})
    response.set_cookie(
        COOKIE,
        site.pairing.cookie(role),
        max_age=int(site.pairing.valid_s),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.post("/api/actions")
async def act(body: ActionBody, request: Request, site: SiteNow, role: RoleNow) -> Response:
    """Hand one press to the table."""
    if role == "spectator":
        raise RequestError(401, "spectator")
    _require_complete(body, site)
    once: Once = request.app.state.once
    result = await once.act(_action(body, role))
    return _answer_action(result, request.headers.get("accept-language"))


@router.get("/evidence/{evidence_id}.jpg")
async def evidence(evidence_id: str, site: SiteNow) -> FileResponse:
    """One picture; it never changes."""
    headers = {"cache-control": "private, max-age=86400, immutable"}
    return FileResponse(site.evidence.path(evidence_id), media_type="image/jpeg", headers=headers)


@router.get("/join.svg")
async def join(request: Request, site: SiteNow, role: RoleNow) -> Response:
    """The QR code for further phones: as players for those who play already and for the computer itself, else as
    spectators."""
    local = request.client is not None and request.client.host in LOOPBACK
    address = site.join_address("spectator" if role == "spectator" and not local else "player")
    picture = BytesIO()
    segno.make(address, error="m", micro=False).save(
        picture, kind="svg", scale=8, border=4, dark="#06121f", light="#ffffff", omitsize=True
    )
    return Response(picture.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


@router.get("/healthz")
async def health(site: SiteNow) -> dict[str, str | int]:
    """Whether the server answers, and how many phones listen."""
    return {"status": "ok", "epoch": site.feed.epoch, "phones": site.feed.phones}


@router.get("/source")
async def source(site: SiteNow) -> RedirectResponse:
    """The source text of exactly this program (AGPL, section 13)."""
    return RedirectResponse(site.source_url)


def _require_complete(body: ActionBody, site: Site) -> None:
    if any(getattr(body, name) is None for name in _NEEDS[body.kind]):
        raise RequestError(422, "incomplete")
    if isinstance(body.value, AmendmentBody) != (body.kind == "amend"):
        raise RequestError(422, "malformed")
    if site.feed.view is None:
        raise RequestError(409, "early")
    named = {body.player, body.value.player if isinstance(body.value, AmendmentBody) else None} - {None}
    strangers = named - {player["name"] for player in site.feed.view["players"]}
    if strangers:
        raise RequestError(422, "player", player=strangers.pop())


def _action(body: ActionBody, role: Role) -> Action:
    given = body.value
    value = Amendment(tuple(given.cards), given.player) if isinstance(given, AmendmentBody) else given
    return Action(body.kind, body.key, player=body.player, seq=body.seq, ask=body.ask, value=value, role=role)


_STATUS: dict[ActionStatus, int] = {"done": 200, "late": 409, "refused": 422}


def _answer_action(result: ActionResult, accept_language: str | None) -> Response:
    language = choose_language(accept_language)
    if result.status == "done":
        return JSONResponse({"status": "done", "seq": result.seq})
    body = {
        "error": result.text.get(language) or say(f"error.{result.status}", language),
        "hint": result.hint.get(language) or say(f"hint.{result.status}", language),
    }
    return JSONResponse(body, status_code=_STATUS[result.status])
