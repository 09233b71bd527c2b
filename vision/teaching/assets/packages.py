"""Fetching and unpacking packages of Debian, npm and PyPI with the registries' own clients.

A package is unpacked once into a cache folder and found there the next time. Nothing is installed on the machine.
"""

from __future__ import annotations

import importlib.util
import logging
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vision.errors import TeachingError

__all__ = ["Package", "Source", "run_tool", "unpacked"]

_LOG = logging.getLogger(__name__)

Registry = Literal["debian", "npm", "pypi"]


@dataclass(frozen=True, slots=True)
class Package:
    """A package of a registry and the licence that the package itself states.

    npm and PyPI serve exactly `version`. Debian serves what its suite holds now, for which `version` is only the one
    that the file names were taken from.
    """

    registry: Registry
    name: str
    version: str
    licence: str


@dataclass(frozen=True, slots=True)
class Source:
    """An unpacked package: where it lies and which version it really is."""

    package: Package
    folder: Path
    version: str

    def as_record(self) -> dict[str, str]:
        """The origin as it is written into `done.json` and `deck.json`."""
        kept = self.package
        return {"registry": kept.registry, "package": kept.name, "version": self.version, "licence": kept.licence}


def unpacked(package: Package, cache: Path) -> Source:
    """The package unpacked under `cache`, fetched first if it is not there yet.

    Raises:
        TeachingError: a client of the registry is missing, or the registry does not serve the package.
    """
    # The clients run in that folder, so a path from here would not lead there.
    home = cache.resolve() / package.registry / package.name.replace("/", "__").replace("@", "")
    mark = home / "version.txt"
    if not mark.is_file():
        shutil.rmtree(home, ignore_errors=True)
        (home / "content").mkdir(parents=True)
        _LOG.info("fetching %s %s (%s)", package.name, package.version, package.registry)
        archive = _CLIENTS[package.registry](package, home)
        version = _unpack(archive, home / "content", package)
        archive.unlink()
        mark.write_text(version, encoding="utf-8")
    return Source(package, home / "content", mark.read_text(encoding="utf-8"))


def run_tool(command: Sequence[str], folder: Path, *, missing_hint: str, failure_hint: str = "") -> str:
    """Run a program in `folder` and return what it wrote to its standard output.

    Raises:
        TeachingError: the program is not installed (hint: `missing_hint`) or it failed (hint: `failure_hint`).
    """
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    except (FileNotFoundError, PermissionError) as error:
        raise TeachingError(f"The program '{command[0]}' is not installed.", hint=missing_hint) from error
    except subprocess.CalledProcessError as error:
        lines = [line for line in str(error.stderr).splitlines() if line.strip()]
        reason = lines[-1] if lines else f"exit status {error.returncode}"
        raise TeachingError(f"'{' '.join(command)}' failed: {reason}", hint=failure_hint) from error
    return done.stdout


def _fetch_debian(package: Package, home: Path) -> Path:
    # Without the sandbox option apt drops its rights and cannot write into a folder of the caller.
    run_tool(
        ["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", package.name],
        home,
        missing_hint="The pictures come from Debian packages: run this on Debian or Ubuntu, or in a container of it.",
        failure_hint="Refresh the package lists: apt-get update (Debian 12, section main).",
    )
    return _only_file(home, "*.deb", package)


def _fetch_npm(package: Package, home: Path) -> Path:
    run_tool(
        ["npm", "pack", "--silent", f"{package.name}@{package.version}"],
        home,
        missing_hint="Install Node.js with npm: apt-get install npm",
        failure_hint="Check the connection to the npm registry: npm ping",
    )
    return _only_file(home, "*.tgz", package)


def _fetch_pypi(package: Package, home: Path) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise TeachingError("This Python environment has no pip.", hint=f"Add it: {sys.executable} -m ensurepip")
    wanted = f"{package.name}=={package.version}"
    run_tool(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", wanted],
        home,
        missing_hint="Run this with the Python that wrongcard is installed in.",
        failure_hint=f"Check the connection to PyPI: {sys.executable} -m pip download --no-deps {wanted}",
    )
    return _only_file(home, "*.whl", package)


_CLIENTS: dict[str, Callable[[Package, Path], Path]] = {
    "debian": _fetch_debian,
    "npm": _fetch_npm,
    "pypi": _fetch_pypi,
}


def _only_file(home: Path, pattern: str, package: Package) -> Path:
    found = sorted(home.glob(pattern))
    if len(found) != 1:
        raise TeachingError(
            f"Fetching {package.name} left {len(found)} files {pattern} in {home} instead of one.",
            hint=f"Delete {home} and try again.",
        )
    return found[0]


def _unpack(archive: Path, content: Path, package: Package) -> str:
    """Unpack into `content` and return the version that the archive states."""
    if archive.suffix == ".deb":
        hint = "Install dpkg: apt-get install dpkg"
        run_tool(["dpkg-deb", "-x", str(archive), str(content)], content, missing_hint=hint)
        return run_tool(["dpkg-deb", "-f", str(archive), "Version"], content, missing_hint=hint).strip()
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(content)
        return package.version
    with tarfile.open(archive) as tarball:
        tarball.extractall(content, filter="data")
    return package.version
