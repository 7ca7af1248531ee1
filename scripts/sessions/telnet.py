"""A bidder in telnet under expect: negotiation, CRLF and a terminal between."""

from checks import check
from programs import HOST

TITLE = "a bidder in telnet under expect"
NEEDS = ("telnet", "expect")
SCRIPT = r"""
lassign $argv host port
set timeout 20
set stty_init -echo
spawn telnet $host $port
proc hear {pattern} {
    expect -re "$pattern\r\n" {} timeout { puts stderr "no $pattern"; exit 1 } eof { puts stderr "end before $pattern"; exit 1 }
}
proc ask {line pattern} { send "$line\r"; hear $pattern }
hear {LOT 1 Vase}
ask "name alice" {OK name alice \S+}
ask "BID 120" {OK bid 120}
ask "bid much" {ERROR bad-amount [^\r]+}
hear {WINNER alice 120 \d\d:\d\d\.\d Vase}
ask "quit" {BYE quit}
expect eof
"""


def play(bed):
    server = bed.serve("--seconds", "2", "--lot", "Vase")
    observer = bed.connect("observer")
    driver = bed.spawn("expect", "expect", "-", HOST, str(bed.port))
    driver.send(SCRIPT.encode())
    driver.finish()
    code = driver.exit_code(60)
    check(code == 0, f"expect exited {code}: {driver.errors.lines}")
    for line in (r"PRICE 120 alice .+", r"WINNER alice 120 .+", r"LEFT alice"):
        observer.expect(line)
    server.stop()
