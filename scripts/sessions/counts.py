"""The counts that are kept, and renewed on purpose: `UPDATE_COUNTS=1 scripts/sessions/run NAME`."""

import json
import os

from checks import check

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "counts.json")


def hold(session, counted, is_close):
    """Fails unless each count of a session is close to the one that is kept; or renews them."""
    kept = load()
    if os.environ.get("UPDATE_COUNTS") == "1":
        return store({**kept, session: counted})
    old = kept.get(session, {})
    wrong = [f"{name}: {count:g}, and it was {old.get(name)}" for name, count in counted.items()
             if name not in old or not is_close(count, old[name])]
    check(not wrong, f"{'; '.join(wrong)} (if that is meant: UPDATE_COUNTS=1 scripts/sessions/run {session})")
    return None


def load():
    """The counts of all sessions, by their names."""
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


def store(counts):
    """Keeps these counts from now on."""
    with open(PATH, "w", encoding="utf-8") as file:
        json.dump(counts, file, indent=4)
        file.write("\n")
