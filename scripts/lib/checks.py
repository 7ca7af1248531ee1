"""How a script fails."""


class Failure(Exception):
    """Something that should not be so, and the lines concerned."""

    def __init__(self, complaint, *lines):
        super().__init__("\n     ".join((complaint, *map(str, lines))))


class Late(Failure):
    """Something came after its time; a busy machine may be the cause."""


def check(fact, complaint, *lines):
    """Fails unless the fact holds."""
    if not fact:
        raise Failure(complaint, *lines)
