"""The same protocol as JSON, one object a line."""

import json
import re

from peer import check

TITLE = "every line an object after format json"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
REPLIES = {"ok", "error", "lap", "who", "help", "hello", "bye"}


def play(room):
    server = room.serve("--seconds", "1", "--start", "100", "--pause", "60", "--lot", "Vase")
    reader, alice = room.connect("reader"), room.connect("alice")
    reader.expect(r"LOT 1 Vase")
    reader.send(b"format json\n")
    reader.expect(r"OK format json|\{.*\}")
    opening = ask_for_lot(reader)
    first = len(reader.lines)
    talk(reader)
    alice.demand("name alice", r"OK name .+")
    alice.demand("bid 120", r"OK bid 120")
    reader.expect(r'.*"type" *: *"winner".*')
    reader.send(b"laps\nwho\nstatus\nbid 1\n#end ping\n")
    reader.expect(r'.*"tag" *: *"end".*')
    objects = [parse(line) for line in reader.lines[first:]]
    check_objects(objects)
    check_lot(opening)
    reader.send(b"format text\n#text ping\n")
    reader.expect(r"OK #text ping")
    server.stop()


def talk(reader):
    reader.send(b"#42 ping\nname reader\nbid 0\n#low bid 1\nlaps 1 2 3\n")
    reader.expect(r'.*"bad-arguments".*')


def ask_for_lot(reader):
    """The lot as the snapshot has it before the first bid."""
    reader.send(b"#lot status\n")
    reader.expect(r'.*"tag" *: *"lot".*')
    return parse(reader.lines[-2])


def parse(line):
    """The object of one line, which has what all have."""
    try:
        fields = json.loads(line)
    except ValueError:
        fields = None
    check(isinstance(fields, dict), f"no JSON object: {line!r}")
    check(isinstance(fields.get("type"), str) and isinstance(fields.get("content"), str)
          and TIME.fullmatch(fields.get("time", "")), f"lacks type, content or time: {line}")
    check(fields["type"] not in REPLIES or "seq" not in fields, f"a reply with a number: {line}")
    return fields


def check_objects(objects):
    numbers = [fields["seq"] for fields in without_status(objects) if "seq" in fields]
    check(numbers == sorted(set(numbers)), f"the events are numbered {numbers}")
    price = only(objects, type="price", bidder="alice", seq=...)
    expected = {"content": "120", "amount": 120, "bid": 1, "lot": 1, "remainingMilliseconds": 1000}
    check({**price, **expected} == price and isinstance(price["elapsedMilliseconds"], int),
          f"the price is {price}")
    pong = only(objects, type="ok", tag="42")
    check(pong["content"] == "ping", f"the ping was answered {pong}")
    only(objects, type="error", code="too-low", minimum=100, tag="low")
    for code in ("bad-amount", "bad-arguments", "closed"):
        only(objects, type="error", code=code)
    for kind in ("joined", "countdown", "winner", "lap", "who"):
        check(any(fields["type"] == kind for fields in objects), f"no {kind} among the objects")


def check_lot(lot):
    expected = {"type": "lot", "content": "Vase", "lot": 1, "start": 100}
    elapsed = lot.get("elapsedMilliseconds")
    check({**lot, **expected} == lot and isinstance(elapsed, int), f"the lot is {lot}")


def without_status(objects):
    """The objects without the snapshot asked for, which restates news under the same numbers."""
    end = next(place for place, fields in enumerate(objects) if fields["content"] == "status")
    start = max(place for place in range(end) if "seq" not in objects[place]) + 1
    return objects[:start] + objects[end:]


def only(objects, **wanted):
    """The first object with these fields, where `...` stands for any value."""
    for fields in objects:
        if all(key in fields and value in (..., fields[key]) for key, value in wanted.items()):
            return fields
    check(False, f"no object with {wanted}")
    return None
