"""From the events of a film to where every card lies and flies and where every hand is, at any time.

All places are in millimetres on the table (x right, y towards the viewer, z up), all times in seconds. Nothing here
knows pictures.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from vision.errors import TeachingError
from vision.geometry import Floats
from vision.teaching.film_script import Event, Film, Point, Seat

__all__ = ["CARD_THICKNESS_MM", "Choreography", "Flight", "Landing", "Pose", "Reach", "Rest", "choreograph"]

CARD_THICKNESS_MM = 0.35
_GRIP_INSET_MM = 13.0
"""Fingertips hold a card this far inside its edge."""

ENTER_S, LEAVE_S = 0.45, 0.5
GRASP_S, RELEASE_S = 0.12, 0.1
CARRY_S = {"play": 0.7, "discard": 0.6, "take_back": 0.8, "turn": 0.8}
FROM_AWAY_S = 0.7
"""How long a card that was held outside the picture takes to its place."""
LINGER_S = 0.3
_WAITING_Z_MM = 70.0
_PILE_SPREAD_MM, _PILE_SPREAD_DEG = 8.0, 25.0
_DISCARD_SPREAD_MM, _DISCARD_SPREAD_DEG = 5.0, 9.0


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a card is: its middle, how it is turned (clockwise from above), and rolled about its long axis: 0 face up,
    180 face down."""

    x: float
    y: float
    z: float
    angle_deg: float
    roll_deg: float = 0.0

    def corners_mm(self, size_mm: Point) -> Floats:
        """The corners TL, TR, BR, BL (4, 3); a rolling card stands on its edge, never in the table."""
        width, height = size_mm
        flat = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
        roll, angle = math.radians(self.roll_deg), math.radians(self.angle_deg)
        rise = flat[:, 0] * math.sin(roll) + width / 2 * abs(math.sin(roll))
        flat[:, 0] *= math.cos(roll)
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        return np.column_stack([flat @ turn.T + (self.x, self.y), rise + self.z])


def _eased(time_s: float, start_s: float, end_s: float) -> float:
    """From 0 to 1 with the least jerk: how people move a hand (Flash and Hogan 1985)."""
    u = min(max((time_s - start_s) / (end_s - start_s), 0.0), 1.0)
    return u * u * u * (10 - 15 * u + 6 * u * u)


@dataclass(frozen=True, slots=True)
class Flight:
    """A card on its way in somebody's hand."""

    face: str
    player: str
    start: Pose
    end: Pose
    start_s: float
    end_s: float
    arc_mm: float

    def pose(self, time_s: float) -> Pose:
        """Where it is; it turns over on the first part of its way."""
        s = _eased(time_s, self.start_s, self.end_s)
        span = self.end_s - self.start_s
        roll = _eased(time_s, self.start_s + 0.12 * span, self.start_s + 0.68 * span)
        a, b = self.start, self.end
        return Pose(
            a.x + (b.x - a.x) * s,
            a.y + (b.y - a.y) * s,
            a.z + (b.z - a.z) * s + self.arc_mm * math.sin(math.pi * s),
            a.angle_deg + (b.angle_deg - a.angle_deg) * s,
            a.roll_deg + (b.roll_deg - a.roll_deg) * roll,
        )


@dataclass(frozen=True, slots=True)
class Rest:
    """A card that lies on a `place` (`pile` or a player's name) from one time to another."""

    face: str
    place: str
    pose: Pose
    since_s: float
    until_s: float = math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """A hand on its way: its fingertips go from one point (3,) to another; `away` when that is outside the picture."""

    start_mm: Floats
    end_mm: Floats
    start_s: float
    end_s: float
    arc_mm: float
    away: bool = False

    def point(self, time_s: float) -> Floats:
        """Where the fingertips are (3,)."""
        s = _eased(time_s, self.start_s, self.end_s)
        lift = np.array([0.0, 0.0, self.arc_mm * math.sin(math.pi * s)])
        return np.asarray(self.start_mm + (self.end_mm - self.start_mm) * s + lift, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Landing:
    """The outcome of an event: these cards, bottom to top, have come to rest; `top` is the one that can be seen."""

    event: Event
    cards: tuple[str, ...]
    top: Rest


@dataclass(slots=True)
class Choreography:
    """Everything that moves and rests; `draws` are the times at which a player took a card off the own deck."""

    flights: list[Flight] = field(default_factory=list)
    rests: list[Rest] = field(default_factory=list)
    reaches: dict[str, list[Reach]] = field(default_factory=dict)
    draws: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    landings: list[Landing] = field(default_factory=list)

    def resting(self, time_s: float) -> tuple[Rest, ...]:
        """The cards that lie still, the one that came last on top."""
        return tuple(rest for rest in self.rests if rest.since_s <= time_s < rest.until_s)

    def flying(self, player: str, time_s: float) -> tuple[Flight, ...]:
        """The cards in a player's hand, from bottom to top."""
        return tuple(f for f in self.flights if f.player == player and f.start_s <= time_s < f.end_s)

    def fingertips(self, player: str, time_s: float) -> Floats | None:
        """Where a player's fingertips are (3,), None while the hand is away."""
        begun = [reach for reach in self.reaches.get(player, ()) if reach.start_s <= time_s]
        if not begun:
            return None
        last = begun[-1]
        return None if last.away and time_s >= last.end_s else last.point(time_s)

    def drawn(self, player: str, time_s: float) -> int:
        """How many cards the player has taken off the own deck."""
        return sum(time <= time_s for time in self.draws.get(player, ()))


@dataclass(frozen=True, slots=True, eq=False)
class _Action:
    """What one hand does in one go. `enters` and `leaves` are how long it takes from and to outside the picture, None
    where the reaches themselves begin or end there."""

    event: Event
    reaches: tuple[Reach, ...]
    enters: bool = True
    leaves: bool = True


def choreograph(film: Film, card_mm: Point) -> Choreography:
    """Plan all movements of a film whose cards have the size `card_mm`.

    Raises:
        TeachingError: Somebody would need a third hand.
    """
    planner = _Planner(film, card_mm)
    for number, event in enumerate(film.events):
        if event.kind != "start":
            planner.add(event, np.random.default_rng([film.seed, number]))
    return planner.finished()


class _Planner:
    def __init__(self, film: Film, card_mm: Point) -> None:
        self.film, self.card_mm = film, card_mm
        self.plan = Choreography()
        face_down = Pose(*film.pile_mm, 0.0, -4.0, 180.0)
        self.piles: dict[str, list[Rest]] = defaultdict(list)
        self.lay(film.target, "pile", face_down, 0.0)
        self.actions: dict[str, list[_Action]] = defaultdict(list)

    def lay(self, face: str, place: str, pose: Pose, time_s: float) -> Rest:
        rest = Rest(face, place, pose, time_s)
        self.piles[place].append(rest)
        self.plan.rests.append(rest)
        return rest

    def lift(self, place: str, time_s: float, count: int = 1) -> list[Rest]:
        """Take the `count` top cards off a pile; from bottom to top."""
        taken = self.piles[place][-count:]
        del self.piles[place][-count:]
        for rest in taken:
            ended = replace(rest, until_s=time_s)
            self.plan.rests[self.plan.rests.index(rest)] = ended
            self.plan.landings = [
                replace(landing, top=ended) if landing.top is rest else landing for landing in self.plan.landings
            ]
        return taken

    def add(self, event: Event, rng: np.random.Generator) -> None:
        seat = self.film.seat(event.player)
        doing = {"turn": self._turn, "hover": self._hover, "take_back": self._take_back}.get(event.kind, self._bring)
        self.actions[event.player].append(doing(event, seat, rng))

    def _spot(self, place: str, rng: np.random.Generator, seat: Seat) -> Pose:
        """Where the next card on a pile comes to lie."""
        z = CARD_THICKNESS_MM * len(self.piles[place])
        if place == "pile":
            (x, y), spread, angle = self.film.pile_mm, _PILE_SPREAD_MM, rng.uniform(-1, 1) * _PILE_SPREAD_DEG
        else:
            (x, y), spread = seat.discard_mm, _DISCARD_SPREAD_MM
            angle = seat.turn_deg + rng.uniform(-1, 1) * _DISCARD_SPREAD_DEG
        dx, dy = rng.uniform(-spread, spread, 2)
        return Pose(x + float(dx), y + float(dy), z, float(angle))

    def _grip(self, pose: Pose, seat: Seat) -> Floats:
        """Where fingertips take a card: at the edge that faces the player."""
        away = np.array(seat.shoulder_mm) - (pose.x, pose.y)
        angle = math.radians(pose.angle_deg)
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        inside = away @ turn
        room = np.array(self.card_mm) / 2 - _GRIP_INSET_MM
        inside *= float(np.min(room / np.maximum(np.abs(inside), 1e-6)))
        return np.array([*(turn @ inside + (pose.x, pose.y)), pose.z + 2.0])

    def _carry(self, flight: Flight, seat: Seat) -> Reach:
        start, end = self._grip(flight.start, seat), self._grip(flight.end, seat)
        return Reach(start, end, flight.start_s, flight.end_s, flight.arc_mm)

    def _bring(self, event: Event, seat: Seat, rng: np.random.Generator) -> _Action:
        """A card comes from the own deck or out of the hand and is laid down."""
        place = "pile" if event.kind == "play" else seat.player
        end = self._spot(place, rng, seat)
        if event.source == "deck":
            start, start_s = self._top_of_deck(seat), event.t - CARRY_S[event.kind]
            self.plan.draws[seat.player].append(start_s)
        else:
            start, start_s = self._in_hand(end, seat), event.t - FROM_AWAY_S
        flight = Flight(str(event.card), seat.player, start, end, start_s, event.t, 26.0)
        self.plan.flights.append(flight)
        rest = self.lay(flight.face, place, end, event.t)
        self.plan.landings.append(Landing(event, (flight.face,), rest))
        return _Action(event, (self._carry(flight, seat),), enters=event.source == "deck")

    def _top_of_deck(self, seat: Seat) -> Pose:
        left = seat.cards - len(self.plan.draws[seat.player])
        return Pose(*seat.deck_mm, CARD_THICKNESS_MM * left, seat.turn_deg, 180.0)

    def _in_hand(self, near: Pose, seat: Seat) -> Pose:
        """A card held face up outside the picture, about as it will lie."""
        return Pose(*seat.away_mm, _WAITING_Z_MM, near.angle_deg + 8.0)

    def _turn(self, event: Event, seat: Seat, rng: np.random.Generator) -> _Action:
        start_s = event.t - CARRY_S["turn"]
        (lying,) = self.lift("pile", start_s)
        end = replace(self._spot("pile", rng, seat), roll_deg=0.0)
        flight = Flight(lying.face, seat.player, lying.pose, end, start_s, event.t, 30.0)
        self.plan.flights.append(flight)
        self.plan.landings.append(Landing(event, (lying.face,), self.lay(lying.face, "pile", end, event.t)))
        return _Action(event, (self._carry(flight, seat),))

    def _take_back(self, event: Event, seat: Seat, rng: np.random.Generator) -> _Action:
        """The packet keeps its order; the hand holds its top card."""
        start_s = event.t - CARRY_S["take_back"]
        flights = []
        for rest in self.lift("pile", start_s, event.cards):
            end = self._spot(seat.player, rng, seat)
            flights.append(Flight(rest.face, seat.player, rest.pose, end, start_s, event.t, 28.0))
            top = self.lay(rest.face, seat.player, end, event.t)
        self.plan.flights += flights
        self.plan.landings.append(Landing(event, tuple(flight.face for flight in flights), top))
        return _Action(event, (self._carry(flights[-1], seat),))

    def _hover(self, event: Event, seat: Seat, rng: np.random.Generator) -> _Action:
        """Nearly a play: to the edge of the pile, a moment's thought, and away again."""
        towards = np.array(seat.shoulder_mm) - self.film.pile_mm
        x, y = self.film.pile_mm + towards / float(np.hypot(*towards)) * 62.0
        near = Pose(float(x), float(y), 42.0, float(rng.uniform(-12, 12)))
        nearer = replace(near, x=near.x - 0.1 * float(towards[0]) / 8, z=34.0, angle_deg=near.angle_deg + 4.0)
        away = self._in_hand(near, seat)
        times = (event.t - FROM_AWAY_S, event.t, event.t + LINGER_S, event.t + LINGER_S + LEAVE_S)
        start = away
        if event.card is not None and event.source == "deck":
            start = self._top_of_deck(seat)
            self.plan.draws[seat.player].append(times[0])
        poses = (start, near, nearer, away)
        flights = [
            Flight(event.card or "", seat.player, poses[i], poses[i + 1], times[i], times[i + 1], 24.0 if i != 1 else 0)
            for i in range(3)
        ]
        if event.card is not None:
            self.plan.flights += flights
        come, think, go = (self._carry(flight, seat) for flight in flights)
        return _Action(event, (come, think, replace(go, away=True)), enters=start is not away, leaves=False)

    def finished(self) -> Choreography:
        for player, actions in self.actions.items():
            self.plan.reaches[player] = _joined(actions, self.film.seat(player))
        self.plan.rests.sort(key=lambda rest: rest.since_s)
        return self.plan


def _joined(actions: Sequence[_Action], seat: Seat) -> list[Reach]:
    """The whole way of one hand: in, the action, and out again, or straight on to the next action."""
    away = np.array([*seat.away_mm, _WAITING_Z_MM])
    reaches: list[Reach] = []
    for number, action in enumerate(actions):
        first, last = action.reaches[0], action.reaches[-1]
        if action.enters and (not reaches or reaches[-1].away):
            grasped_s = first.start_s - GRASP_S
            reaches.append(Reach(away, first.start_mm, grasped_s - ENTER_S, grasped_s, 12.0))
        _check_free(reaches, action)
        reaches += action.reaches
        if not action.leaves:
            continue
        free_s = last.end_s + RELEASE_S
        following = actions[number + 1] if number + 1 < len(actions) else None
        if following is not None and following.enters:
            grasped_s = following.reaches[0].start_s - GRASP_S
            if grasped_s - free_s < LEAVE_S + ENTER_S:
                reaches.append(Reach(last.end_mm, following.reaches[0].start_mm, free_s, grasped_s, 40.0))
                continue
        reaches.append(Reach(last.end_mm, away, free_s, free_s + LEAVE_S, 0.0, away=True))
    return reaches


def _check_free(reaches: Sequence[Reach], action: _Action) -> None:
    """A hand does one thing after the other, and needs a quarter of a second from one place to the next."""
    begins_s, event = action.reaches[0].start_s, action.event
    steps = [*reaches[-2:], action.reaches[0]]
    if any(step.end_s - step.start_s < 0.25 for step in steps[:-1]) or any(
        after.start_s < before.end_s - 1e-9 for before, after in pairwise(steps)
    ):
        raise TeachingError(
            f"{event.player} cannot {event.kind} at {event.t} s: the hand is still busy.",
            hint=f"It sets out at {begins_s:.2f} s; move the event back or the one before it forward.",
        )
