"""Writing pictures so that a reader, or an interruption, never meets half of one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import TeachingError

__all__ = ["write_picture"]


def write_picture(path: Path, picture: NDArray[np.uint8], options: Sequence[int] = ()) -> None:
    """Write BGR or BGRA in the format of the file's ending; `options` as for `cv2.imencode`.

    Raises:
        TeachingError: the folder cannot be written to.
    """
    _, encoded = cv2.imencode(path.suffix, picture, list(options))
    unfinished = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(encoded.tobytes())
        unfinished.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise TeachingError(
            f"{path} cannot be written: {reason}.", hint="Free some space or choose another folder."
        ) from error
