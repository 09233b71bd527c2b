"""Running the app: the port is taken before anything else starts, and open streams end before the process does."""

from __future__ import annotations

import errno
import os
import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI

from referee.web.errors import AddressError
from referee.web.site import Site

__all__ = ["Server", "listen", "run_server", "serve", "server_for"]

# Only a phone that no longer reads its stream can delay the end; it gets this long.
GRACE_S = 3


class Server(uvicorn.Server):
    """A server that calls `on_exit` at Ctrl+C or SIGTERM, so that endless streams can end by themselves.

    Unlike uvicorn's own it does not raise the signal again afterwards: a referee that was asked to stop has done
    well, and its process ends with status 0.
    """

    def __init__(self, config: uvicorn.Config, on_exit: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_exit = on_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature is uvicorn's
        """Called by the signal; a second Ctrl+C no longer waits for anybody."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.stop()

    def stop(self) -> None:
        """End all streams and then the server; may be called from any thread."""
        self._on_exit()
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free one.

    Raises `AddressError` with what to do when the address or the port cannot be had.
    """
    if not 0 <= port <= 65535:
        raise AddressError(f"There is no port {port}: ports go from 1 to 65535.", hint="--port 8765")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise AddressError(f"There is no computer called “{host}”.", hint="--host 127.0.0.1") from error
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere the option would let two servers share the port
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise _refusal(error, host, port) from error
    return sock


def _refusal(error: OSError, host: str, port: int) -> AddressError:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else port - 1
        return AddressError(
            f"Port {port} is already in use on this computer, perhaps by another Wrongcard.", hint=f"--port {other}"
        )
    if error.errno == errno.EACCES:
        return AddressError(f"Port {port} needs an administrator's rights.", hint="--port 8765")
    return AddressError(f"This computer cannot be reached as {host}: {error.strerror}.", hint="--host 127.0.0.1")


def serve(app: FastAPI, sock: socket.socket) -> None:
    """Serve `app` on a listening socket until Ctrl+C or SIGTERM."""
    server_for(app).run(sockets=[sock])


def server_for(app: FastAPI) -> Server:
    """The server of an app made by `create_app`, not yet running."""
    site: Site = app.state.site
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    return Server(config, site.feed.close_threadsafe)


def run_server(app: FastAPI, host: str, port: int) -> None:
    """Take the port, then serve `app` until Ctrl+C or SIGTERM. Raises `AddressError` before anything has started."""
    sock = listen(host, port)
    serve(app, sock)
