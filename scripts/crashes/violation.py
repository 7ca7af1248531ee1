"""What the crashes may bring to light."""


class Violation(Exception):
    """What should not be so, and the lines concerned."""

    def __init__(self, complaint, *lines):
        super().__init__("\n     ".join((complaint, *map(str, lines))))
