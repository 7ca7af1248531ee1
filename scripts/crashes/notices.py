"""The lines of the protocol in JSON, and what they are in text."""

from __future__ import annotations

import functools
import json


@functools.lru_cache(maxsize=1 << 13)
def parsed(text):
    """The fields of a line heard, and the words of the news that it is."""
    fields = json.loads(text)
    return fields, words_of(fields)


def words_of(fields):
    """The line of text that tells the same; nil if it is no news."""
    content = fields["content"]
    match fields["type"]:
        case "lot":
            return f"LOT {fields['lot']} {content}"
        case "price":
            return (f"PRICE {fields['amount']} {fields['bidder']} "
                    f"{lot_time(fields['elapsedMilliseconds'])} {fields['bid']}")
        case "winner":
            return (f"WINNER {fields['bidder']} {fields['amount']} "
                    f"{lot_time(fields['elapsedMilliseconds'])} {fields['title']}")
        case "passed":
            return f"PASSED {fields['lot']} {fields['reason']} {content}"
        case "voided":
            return f"VOIDED {content} {fields['bidder']}"
        case "kicked":
            return f"KICKED {content} {fields['reason']}"
        case "paused" | "resumed" | "hammered" | "stopped":
            return fields["type"].upper()
        case "countdown" | "going" | "over" | "joined" | "left":
            return f"{fields['type'].upper()} {content}"
    return None


def lot_time(milliseconds):
    """The time within a lot as it is told: MM:SS.d, cut to the tenth."""
    minutes, rest = divmod(milliseconds // 100, 600)
    return f"{minutes:02}:{rest // 10:02}.{rest % 10}"
