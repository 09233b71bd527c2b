"""Beginning and end of the process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from web_house import following
from web_table import ScriptedTable

from referee.web.app import create_app
from referee.web.errors import AddressError
from referee.web.feed import Feed
from referee.web.pairing import Pairing
from referee.web.server import listen, run_server
from referee.web.site import Site

SCRIPT = Path(__file__).with_name("web_table.py")


@pytest.mark.parametrize("sig", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_says_bye_to_open_streams_and_ends_without_a_complaint(sig: signal.Signals) -> None:
    command = [sys.executable, "-W", "error", str(SCRIPT), "--port", "0", "--scene", "playing"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        lines = (json.loads(line) for line in process.stdout)
        port = next(line["ready"] for line in lines if "ready" in line)
        with (
            httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as phone,
            following(phone) as one,
            following(phone) as two,
        ):
            assert [next(one).name, next(two).name] == ["snapshot", "snapshot"]
            process.send_signal(sig)
            assert [[event.name for event in events] for events in (one, two)] == [["bye"], ["bye"]]
        _, complaints = process.communicate(timeout=20)
    assert (process.returncode, complaints) == (0, "")


def test_a_port_in_use_is_refused_before_anything_starts() -> None:
    started: list[str] = []

    @asynccontextmanager
    async def camera() -> AsyncIterator[None]:
        started.append("camera")
        yield

    feed = Feed()
    app = create_app(Site(feed, ScriptedTable(feed), Pairing(), "http://127.0.0.1"), lifespan=camera)
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AddressError) as refused:
            run_server(app, "127.0.0.1", port)
    assert str(refused.value).startswith(f"Port {port} is already in use")
    assert refused.value.hint == f"--port {port + 1}"
    assert started == []


@pytest.mark.parametrize(
    ("host", "port", "sentence"),
    [
        ("no.such.host.invalid", 8765, "There is no computer called “no.such.host.invalid”"),
        ("127.0.0.1", 70_000, "There is no port 70000"),
        ("192.0.2.1", 8765, "This computer cannot be reached as 192.0.2.1"),
    ],
)
def test_an_address_that_cannot_be_had_is_named_with_a_way_out(host: str, port: int, sentence: str) -> None:
    with pytest.raises(AddressError, match=sentence) as refused:
        listen(host, port)
    assert refused.value.hint
