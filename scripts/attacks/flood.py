"""Commands as fast as the sockets take them, from a thousand."""

from storm import Crowd

TITLE = "flood: 1,000 send commands as fast as the server takes them"
FLAGS = ("--threads", "2")
COUNT = 500
SECONDS = 3.2
COMMANDS = (b"ping\n" * 800, b"bid 1\n" * 600, b"status\nwho\nhelp\n" * 200, b"\n" * 4000,
            b"name x\n" * 500, b"format json\nformat text\n" * 160)
MEMORY = 150
SOCKETS = 250


def play(arena):
    for reads in (True, False):
        arena.storm(send, reads)
    arena.join()


def send(address, reads):
    crowd = Crowd(address, COUNT, lambda number: COMMANDS[number % len(COMMANDS)], reads=reads)
    crowd.rage(SECONDS)
    crowd.leave()
