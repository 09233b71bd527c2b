"""Crazy Old Fish War: the deal, and the position in which a round begins (section 1 of the rules)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.cards import UNKNOWN, Face, face, is_known
from referee.entries import Start
from referee.errors import SetupError
from referee.games.crazy_old_fish_war.claims import claim
from referee.games.crazy_old_fish_war.faces import ANY, colour_word, colours_of, is_card, is_wild
from referee.games.crazy_old_fish_war.house import NAME, HouseRules, house_rules
from referee.games.crazy_old_fish_war.names import plain
from referee.games.crazy_old_fish_war.state import State, Table, Talk, Turn, War
from referee.games.position import Position, check_players
from referee.games.seats import Cards, Seat
from referee.moves import Json

__all__ = ["DEALT", "begin", "deal", "next_round", "opened"]

DEALT = 7
"""Cards that every player gets (C-S2)."""

_KEYS = (
    "phase", "dealt", "pile", "top", "turn", "dealer", "hands", "hand_size", "known", "open", "draw", "colour", "names",
    "wins", "deck", "hears",
)  # fmt: skip


def deal(players: Sequence[str], options: Mapping[str, Json], *, deck: Sequence[Face]) -> dict[str, Json]:
    """Seven cards for everybody, one by one, then cards turned over until one may begin (C-S2 to C-S4, C-A2).

    Raises `SetupError` when the deck is too small, `OptionError` for impossible options.
    """
    rules = house_rules(options)
    dealt = DEALT * len(players)
    rest = list(deck[dealt:])
    turned = 1
    while rules.start_special == "turn_more" and turned < len(rest) and is_wild(rest[turned - 1]):
        turned += 1
    if turned >= len(rest):
        raise SetupError(
            f"{len(deck)} cards are not enough for {len(players)} players.", hint="Take more packs or fewer players."
        )
    return {
        "dealt": True,
        "hands": {name: list(deck[place : dealt : len(players)]) for place, name in enumerate(players)},
        "pile": list(rest[:turned]),
        "draw": list(reversed(rest[turned:])),
    }


def begin(start: Start, previous: State | None = None) -> State:
    """The state in which a round begins; after a round of the same players it goes on with their wins.

    A position may be any within a round; where the cards were just `dealt` nobody has played yet.
    Raises `SetupError`, `OptionError` or `CardError`.
    """
    rules = house_rules(start.options)
    check_players(NAME, start.players, least=2, most=6)
    setup = Position(start.setup, game=NAME, players=start.players, keys=_KEYS)
    setup.word("deck", "unknown", allowed=("known", "unknown"))
    preparing = setup.word("phase", "playing", allowed=("setup", "playing")) == "setup"
    before = _same_game(previous, start.players)
    table = _table(start, setup, rules=rules, previous=before)
    names = {plain(name) for name in setup.words("names")}
    if before is not None and rules.fish_names == "game":
        names |= set(before.talk.names)
    dealt = setup.flag("dealt")
    state = State(
        table=table,
        phase="setup" if preparing or dealt else "playing",
        seats=_seats(start, setup),
        turn=Turn(setup.player("turn") or table.left[table.dealer]),
        pile=_pile(setup, preparing=preparing),
        draw=_cards(setup.cards_or_count("draw")),
        colour=_colour(setup),
        begun=not (preparing or dealt),
        talk=Talk(names=tuple(sorted(names))),
    )
    return (opened(state) or state) if dealt else _amid_war(state)


def _amid_war(state: State) -> State:
    """Tied cards in front of two players: the war that the one whose turn it is has begun goes on (C-V6)."""
    tied = [seat.name for seat in state.seats if seat.open]
    if not tied:
        return state
    starter = state.turn.player
    if len(tied) != 2 or starter not in tied:
        raise SetupError(
            f"Cards lie open in front of {', '.join(tied)}.", hint="A war is between the player on turn and one other."
        )
    (rival,) = (name for name in tied if name != starter)
    claims = (claim(state, starter, "C-T2"),)
    return state._replace(turn=Turn(starter, "war"), war=War(rival), claims=claims)


def _pile(setup: Position, *, preparing: bool) -> tuple[Face, ...]:
    """Without a word about it nothing lies there before the start, and an unread card after it."""
    if "pile" in setup:
        pile = setup.cards("pile")
    else:
        top = setup.text("top")
        pile = (face(top),) if top is not None else (() if preparing else (UNKNOWN,))
    if not pile and not preparing:
        raise SetupError("There is no card to play on.", hint="Give the top card of the play pile.")
    return _cards(pile) or ()


def _cards(cards: Cards) -> Cards:
    """`cards`, if they are of this game. Raises `CardError`."""
    all(map(is_card, cards or ()))
    return cards


def _colour(setup: Position) -> str | None:
    named = setup.text("colour")
    if named is None or named == ANY:
        return named
    colour = colour_word(named)
    if colour is None:
        raise SetupError(f"'colour' is {named!r}.", hint="Write a word such as green or hearts.")
    return colour


def _seats(start: Start, setup: Position) -> tuple[Seat, ...]:
    """Named hand cards tell the size of a hand and what it will play; everybody has seen only the `known` ones."""
    hands, sizes, tied = setup.cards_each("hands"), setup.numbers("hand_size"), setup.cards_each("open")
    whole = isinstance(start.setup.get("known"), bool)
    known = (hands if setup.flag("known") else {}) if whole else setup.cards_each("known")
    return tuple(
        _seat(
            name,
            _cards(hands.get(name)),
            size=sizes.get(name),
            known=tuple(filter(is_known, known.get(name, ()))),
            tied=tied.get(name, ()),
        )
        for name in start.players
    )


def _seat(name: str, hand: Cards, *, size: int | None, known: tuple[Face, ...], tied: tuple[Face, ...]) -> Seat:
    """`size` counts all cards of a player, those lying in a war included (C-A13)."""
    _cards((*known, *tied))
    if hand is None and size is None:
        return Seat(name, None, known, open=tied)
    cards, size = list(hand or ()), None if size is None else size - len(tied)
    for card in known:
        if known.count(card) > cards.count(card):
            if UNKNOWN in cards:
                cards.remove(UNKNOWN)
            cards.append(card)
    if size is not None and len(cards) > size:
        raise SetupError(f"'hand_size' of {name} leaves {size}, but {len(cards)} cards are named.", hint="Count again.")
    unseen = 0 if size is None else size - len(cards)
    return Seat(name, (*cards, *(UNKNOWN,) * unseen), known, open=tied)


def _table(start: Start, setup: Position, *, rules: HouseRules, previous: State | None) -> Table:
    players = start.players
    left = {name: players[(place + 1) % len(players)] for place, name in enumerate(players)}
    wins = dict.fromkeys(players, 0)
    if previous is not None:
        wins |= dict(previous.table.wins if previous.result is None else previous.result.points)
    wins |= setup.numbers("wins")
    dealer = setup.player("dealer") or (players[-1] if previous is None else _next_dealer(previous, rules, left=left))
    return Table(
        rules=rules,
        players=players,
        left=left,
        dealer=dealer,
        colours=colours_of(frozenset(start.deck)),
        deck=start.deck or None,
        wins=tuple(wins.items()),
        hears=setup.flag("hears") if "hears" in setup else previous is None or previous.table.hears,
    )


def _next_dealer(previous: State, rules: HouseRules, *, left: Mapping[str, str]) -> str:
    """C-A22; a round that was broken off is dealt again by the same player."""
    dealer, result = previous.table.dealer, previous.result
    if result is None or rules.next_dealer == "same":
        return dealer
    return result.winners[0] if rules.next_dealer == "winner" and result.winners else left[dealer]


def _same_game(previous: State | None, players: Sequence[str]) -> State | None:
    """The round before this one, if the game goes on with the same players."""
    if previous is None or {*previous.table.players} != {*players}:
        return None
    return None if previous.result is not None and previous.result.over == "game" else previous


def opened(state: State) -> State | None:
    """The round with the card that lies there as its first, or None as long as none is good enough (C-A2).

    Nobody told otherwise: then everybody holds seven cards, and the rest of a known deck is the draw pile.
    """
    special = bool(state.pile) and is_wild(state.pile[-1])
    rules = state.table.rules
    if not state.pile or (special and rules.start_special == "turn_more"):
        return None
    dealt = (UNKNOWN,) * DEALT
    seats = tuple(seat if seat.hand is not None else seat._replace(hand=dealt) for seat in state.seats)
    state = state._replace(phase="playing", seats=seats, draw=_rest(state))
    if special and rules.start_special == "any":
        return state._replace(colour=ANY)
    if special:
        return state._replace(turn=Turn(state.turn.player, "colour", whom=state.table.dealer))
    return state


def _rest(state: State) -> Cards:
    deck = state.table.deck
    if state.draw is not None or deck is None:
        return state.draw
    return (UNKNOWN,) * max(0, len(deck) - DEALT * len(state.seats) - len(state.pile))


def next_round(over: State, cards: int | None) -> State:
    """After a round that did not end the game: the same players with their wins, `cards` gathered and dealt again.

    Only the first card is not turned over yet.
    """
    table, rules = over.table, over.table.rules
    dealer = _next_dealer(over, rules, left=table.left)
    wins = table.wins if over.result is None else over.result.points
    left = None if cards is None else cards - DEALT * len(table.players)
    return State(
        table=table._replace(dealer=dealer, wins=wins),
        phase="setup",
        seats=tuple(Seat(name, (UNKNOWN,) * DEALT, open=()) for name in table.players),
        turn=Turn(table.left[dealer]),
        pile=(),
        draw=None if left is None or left < 1 else (UNKNOWN,) * left,
        begun=False,
        talk=Talk(names=over.talk.names if rules.fish_names == "game" else ()),
    )
