"""A table with a tiny film and scripted eyes as a process: python live_show.py FOLDER PORT SPEED [MATCH]"""

from __future__ import annotations

import sys
from pathlib import Path

from live_film import PLAYERS, ScriptedWatcher, story, write_video

from referee.live.opening import Party
from referee.live.serving import Doorstep, Evening, serve_evening


def main() -> None:
    folder, port, speed, match = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    film = folder / "film.mp4"
    if not film.exists():
        write_video(film, 6.0)
    party = Party("piranhas", "fish", PLAYERS)
    evening = Evening(party, str(film), lambda: lambda: ScriptedWatcher(story()), match, speed=speed)
    serve_evening(evening, Doorstep("127.0.0.1", port, folder / "data"))


if __name__ == "__main__":
    main()
