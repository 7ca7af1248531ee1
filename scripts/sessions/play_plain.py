"""Bots that need nothing but two pipes: auction-client play, without a terminal."""

import json

from client import call, check_exit, objects
from news import Record, check_answers, news
from peer import check

TITLE = "bots over pipes with auction-client play"
PROGRAMS = ("client",)
NEEDS = ("bash",)
LIMIT = 60
BOT = """
coproc CLIENT { exec "$@"; }
client=$CLIENT_PID
exec 4<&"${CLIENT[0]}" 5>&"${CLIENT[1]}"
eval "exec ${CLIENT[1]}>&-"
echo "bid 1" >&5
while read -r word amount bidder rest <&4; do
    echo "$word $amount $bidder $rest"
    case "$word" in
    PRICE) [ "$bidder" = "$BOT" ] || [ "$amount" -ge "$LIMIT" ] || echo "bid $((amount + 1))" >&5 ;;
    WINNER) break ;;
    esac
done
exec 5>&-
wait "$client"
"""


def play(room):
    server = room.serve("--seconds", "2", "--pause", "0.2", "--lot", "Vase", "--lot", "Clock")
    witness = room.connect("witness")
    witness.expect(r"LOT 1 Vase")
    play_lot(room, witness)
    witness.expect(r"LOT 2 Clock")
    check_refusals(room)
    check_ends(room, witness)
    check_json(room)
    lost = start(room, "lost")
    lost.demand("ping", r"OK ping")
    server.stop()
    check_exit(lost, 3)
    check(lost.lines[-1] == "BYE shutdown", f"the goodbye is not shown: {lost.lines[-1]!r}")
    Record(witness.lines).check_game()


def start(room, name, *flags):
    return call(room, name, "--name", name, *flags, "play")


def play_lot(room, witness):
    """A bot in bash and one of ours raise each other to the end of the lot."""
    ours = start(room, "ours")
    ours.expect(r"JOINED ours")
    bot = room.spawn("bash", "bash", "-c", BOT, "bot", room.client_path, "--port", str(room.port),
                     "--name", "bot", "play", BOT="bot", LIMIT=str(LIMIT))
    while True:
        _, price, bidder, *_ = ours.expect(r"PRICE .+").split()
        if int(price) == LIMIT:
            break
        if bidder == "bot":
            ours.say(f"bid {int(price) + 1}")
    winner = witness.expect(rf"WINNER ours {LIMIT} .+|WINNER bot {LIMIT} .+")
    ours.expect(r"WINNER .+")
    check_exit(bot, 0)
    check(bot.lines[-1] == winner, f"the bot heard {bot.lines[-1]!r} last, not {winner!r}")
    ours.finish()
    check_exit(ours, 0)
    check_answers(ours)
    heard = news(ours.lines)
    check(Record(witness.lines).place_after(heard, is_complete=False) is not None,
          f"one who plays heard other news: {heard}")


def check_refusals(room):
    """A name that is taken ends before a line is read; a line that is too long does not."""
    taken = call(room, "taken", "--name", "bot", "play", XDG_STATE_HOME=room.folder + "/stranger")
    check_exit(taken, 1)
    check(taken.lines[-1].startswith("ERROR name-taken"), f"printed {taken.lines}")
    peer = start(room, "long")
    peer.send(b"x" * 1024 + b"\n" + b"y" * 1023 + b"\n#1 ping\n")
    peer.expect(r"ERROR unknown-command .+")
    peer.expect(r"OK #1 ping")
    peer.finish()
    check_exit(peer, 0)
    check("1023 bytes" in peer.errors.lines[0], f"told {peer.errors.lines}")


def check_ends(room, witness):
    """The end of a pipe, of a file and of nothing, and quit."""
    shell = ('printf "bid 5\\nbid 6\\n" | "$0" "$@"', 'printf "ping\\n\\n#1 ping" >in; "$0" "$@" <in',
             '"$0" "$@" </dev/null', '"$0" "$@" <&-', 'printf "quit\\nping\\n" | "$0" "$@"')
    wanted = (["OK bid 5", "ERROR leading"], ["OK ping", "OK #1 ping"], [], [],
              ["OK quit", "BYE quit"])
    for number, (script, answers) in enumerate(zip(shell, wanted)):
        name = f"end-{number}"
        peer = room.spawn(name, "sh", "-c", script, room.client_path, "--port", str(room.port),
                          "--name", name, "play")
        check_exit(peer, 0)
        heard = [line for line in peer.lines if line.startswith(("OK ", "ERROR ", "BYE "))]
        check(len(heard) == len(answers) and all(map(str.startswith, heard, answers)),
              f"{script}: printed {heard}, not {answers}")
    folder = room.spawn("folder", "sh", "-c", '"$0" "$@" <.', room.client_path, "--port",
                        str(room.port), "--name", "folder", "play")
    check_exit(folder, 2)
    check("cannot read the input" in folder.errors.lines[0], f"told {folder.errors.lines}")
    witness.expect(r"WINNER end-0 5 .+")


def check_json(room):
    peer = start(room, "in-json", "--json")
    peer.send(b"#1 ping\n")
    peer.finish()
    check_exit(peer, 0)
    last = objects(peer)[-1]
    check(last["type"] == "ok" and last["tag"] == "1", f"the last line is {json.dumps(last)}")
