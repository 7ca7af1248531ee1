"""A class of 30 behind one address on a server with its default limits, and what a thousand rooms cost in memory."""

from checks import check
from machine import figures

TITLE = "30 students behind one address take names and open ten rooms at once; a thousand quiet rooms take little memory"
STUDENTS, GROUPS = 30, 10
PRIVATE, PUBLIC = "192.168.1.20", "203.0.113.7"
ROOMS, MOST_BYTES = 1000, 10_000_000
"""What the quiet rooms may add to the resident memory, all together."""


def play(testbed):
    proxy = "--proxy-protocol", "--trust", "127.0.0.1", "--data", "none"
    server = testbed.serve(*proxy, limits=())
    answers = enter_class(testbed, PRIVATE)
    check(all(answer.startswith("OK ") for answer in answers), f"a student was refused: {answers}")
    refused = [answer.split()[1] for answer in enter_class(testbed, PUBLIC) if answer.startswith("ERROR")]
    check({*refused} == {"slow-down", "full"}, f"a public address was refused as {refused}")
    server.stop()
    server = testbed.serve(*proxy, "--trust-network", PUBLIC, limits=())
    answers = enter_class(testbed, PUBLIC)
    check(all(answer.startswith("OK ") for answer in answers), f"the address of --trust-network was refused: {answers}")
    server.stop()
    open_rooms(testbed)


def enter_class(testbed, address) -> list[str]:
    """The answers when all take names at once, and then one of each group opens a room."""
    students = [testbed.connect(f"{address}-{number}", waits=False) for number in range(STUDENTS)]
    side = "public" if address == PUBLIC else "private"
    for number, student in enumerate(students):
        student.send(f"PROXY TCP4 {address} 192.0.2.2 40000 7777\r\nname {side}-{number}\n".encode())
    answers = [student.expect(r"(OK|ERROR) .*") for student in students]
    for number, student in enumerate(students[:GROUPS]):
        student.send_lines(f"open {side}-{number} lots=5 worth=50..150")
    answers += [student.expect(r"(OK open|ERROR) .*") for student in students[:GROUPS]]
    for student in students:
        student.close()
    return answers


def open_rooms(testbed):
    server = testbed.serve("--rooms", str(ROOMS + 1), "--room-idle", "none", "--log-level", "warning")
    alice = testbed.bidder("alice")
    # The memory that a server needs for its first news, answers and room.
    alice.request("join main", r"OK join main")
    before = figures(server.pid).memory
    for number in range(ROOMS):
        alice.request(f"open room-{number} step=1", rf"OK open room-{number} .+")
    growth = figures(server.pid).memory - before
    check(growth < MOST_BYTES, f"{ROOMS} quiet rooms take {growth} bytes")
