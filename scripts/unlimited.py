"""The flags of a server that is started for one purpose, and keeps nobody there waiting."""

UNLIMITED = tuple(word for name in (
    "connections", "connections-per-address", "connects-per-minute", "line-rate", "address-line-rate",
    "claims-per-minute", "openings-per-minute", "names", "wrong-tokens-per-minute", "wrong-tokens",
) for word in (f"--{name}", "none"))

RATE = UNLIMITED.index("--line-rate") + 1
COUNTED = (*UNLIMITED[:RATE], "1000000", *UNLIMITED[RATE + 1:], "--line-burst", "1000000")
"""The same, but lines are counted: for what that costs."""
