"""The fan-out by itself: what a phone gets, and that nothing grows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from web_table import FOUL, verdict, view

from referee.web.errors import WebError
from referee.web.feed import Event, Feed, FeedLimits

LIMITS = FeedLimits(batches=4, events_per_phone=6, tick_s=0.01)


def counting() -> Callable[[], str]:
    epochs = iter("abcdefgh")
    return lambda: next(epochs)


async def take(stream: AsyncIterator[Event], n: int) -> list[Event]:
    return [await anext(stream) for _ in range(n)]


async def names(stream: AsyncIterator[Event], n: int) -> list[str]:
    return [event.name for event in await take(stream, n)]


def test_a_phone_that_comes_before_the_game_hears_a_tick_and_then_the_first_view_as_a_snapshot() -> None:
    async def scene() -> None:
        feed = Feed(new_epoch=counting())
        stream = feed.follow()
        assert await names(stream, 1) == ["tick"]
        feed.publish(view(1))
        (first,) = await take(stream, 1)
        assert (first.name, first.id) == ("snapshot", "a-1")
        assert json.loads(first.json) == view(1)

    asyncio.run(scene())


def test_verdicts_come_before_their_view_and_only_the_view_has_an_id() -> None:
    async def scene() -> None:
        feed = Feed(new_epoch=counting())
        feed.publish(view(1))
        stream = feed.follow("a-1")
        await take(stream, 1)
        feed.publish(view(3), [verdict(2, FOUL), verdict(3, FOUL)])
        events = await take(stream, 3)
        assert [(event.name, event.id) for event in events] == [("verdict", None), ("verdict", None), ("view", "a-3")]
        assert [json.loads(event.json)["seq"] for event in events] == [2, 3, 3]

    asyncio.run(scene())


@pytest.mark.parametrize("after", ["b-1", "a-", "a-1x", "a-²", "1", "", "a-9", "a-" + "9" * 5000])
def test_an_id_that_is_not_kept_brings_a_snapshot(after: str) -> None:
    async def scene() -> None:
        feed = Feed(new_epoch=counting())
        feed.publish(view(1))
        assert await names(feed.follow(after), 1) == ["snapshot"]

    asyncio.run(scene())


def test_an_id_that_has_left_the_buffer_brings_a_snapshot() -> None:
    async def scene() -> None:
        feed = Feed(LIMITS, new_epoch=counting())
        for seq in range(1, 7):
            feed.publish(view(seq))
        assert await names(feed.follow("a-2"), 1) == ["snapshot"]
        assert [event.id for event in await take(feed.follow("a-3"), 3)] == ["a-4", "a-5", "a-6"]

    asyncio.run(scene())


def test_a_view_published_again_under_the_same_seq_is_not_missed() -> None:
    async def scene() -> None:
        feed = Feed(new_epoch=counting())
        feed.publish(view(1))
        feed.publish(view(1, phase="setup"))
        (event,) = await take(feed.follow("a-1"), 1)
        assert json.loads(event.json)["phase"] == "setup"

    asyncio.run(scene())


def test_a_slow_phone_gets_one_fresh_snapshot_instead_of_a_growing_queue() -> None:
    async def scene() -> None:
        feed = Feed(LIMITS, new_epoch=counting())
        feed.publish(view(1))
        slow = feed.follow()
        await take(slow, 1)
        for seq in range(2, 500):
            feed.publish(view(seq), [verdict(seq, FOUL)])
        (event,) = await take(slow, 1)
        assert (event.name, event.id) == ("snapshot", "a-499")
        feed.publish(view(500))
        assert [event.id for event in await take(slow, 1)] == ["a-500"]

    asyncio.run(scene())


@pytest.mark.parametrize("changes", [{"seq": 1}, {"match": "m2", "seq": 9}])
def test_another_match_or_a_smaller_seq_begins_a_new_epoch_with_a_snapshot(changes: dict[str, Any]) -> None:
    async def scene() -> None:
        feed = Feed(new_epoch=counting())
        feed.publish(view(5))
        stream = feed.follow()
        await take(stream, 1)
        feed.publish({**view(5), **changes}, [verdict(1, FOUL)])
        (event,) = await take(stream, 1)
        assert (event.name, event.id) == ("snapshot", f"b-{changes['seq']}")
        assert await names(feed.follow("a-5"), 1) == ["snapshot"]

    asyncio.run(scene())


def test_what_is_not_json_is_refused_and_nothing_of_it_is_sent() -> None:
    async def scene() -> None:
        feed = Feed(new_epoch=counting())
        feed.publish(view(1))
        with pytest.raises(TypeError):
            feed.publish(view(2), [verdict(2, {"cards": object()})])
        with pytest.raises(ValueError, match="Out of range float"):
            feed.publish(view(2, target=float("nan")))
        assert json.loads(feed.view_json)["seq"] == 1
        (event,) = await take(feed.follow(), 1)
        assert event.id == "a-1"

    asyncio.run(scene())


def test_close_ends_every_stream_with_bye_after_what_was_queued() -> None:
    async def scene() -> None:
        feed = Feed(new_epoch=counting())
        feed.publish(view(1))
        stream = feed.follow()
        await take(stream, 1)
        feed.publish(view(2))
        feed.close()
        assert [event.name async for event in stream] == ["view", "bye"]
        assert feed.phones == 0
        assert [event.name async for event in feed.follow()] == ["snapshot", "bye"]

    asyncio.run(scene())


def test_a_thread_can_publish_only_while_a_server_runs() -> None:
    feed = Feed()
    with pytest.raises(WebError) as refused:
        feed.publish_threadsafe(view(1))
    assert refused.value.hint

    async def scene() -> None:
        feed.attach(asyncio.get_running_loop())
        stream = feed.follow()
        await take(stream, 1)
        await asyncio.to_thread(feed.publish_threadsafe, view(1))
        assert await names(stream, 1) == ["snapshot"]

    asyncio.run(scene())
    with pytest.raises(WebError):
        feed.publish_threadsafe(view(2))
