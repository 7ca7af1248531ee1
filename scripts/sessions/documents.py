"""Runs what README.md and the articles show, and compares: commands, transcripts, tables, the bot."""

import os
import re
import shlex

import markdown
from checks import check
from play_transcript import play_transcript
from sandbox import Sandbox, commands

TITLE = "the commands, transcripts and tables of README.md and the articles"
PROGRAMS = ("client", "bench")
NEEDS = ("bash", "nc", "openssl", "stunnel")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
README = "README.md"
OPERATING, LIMITS = (f"Sources/Server/Server.docc/{name}.md" for name in ("Operating", "Limits"))
BIDDING = "Sources/Bidder/Bidder.docc/Bidding.md"
MEASURING, CONTRIBUTING = (f"Tests/Tests.docc/{name}.md" for name in ("Measuring", "Contributing"))
JOURNAL = "Sources/Journal/Journal.docc/Journal.md"
DESIGN = "Sources/Server/Server.docc/Design.md"
PATHS = (README, OPERATING, LIMITS, BIDDING, MEASURING, JOURNAL, CONTRIBUTING, DESIGN)
BOT_RULES = ("--seconds", "1", "--pause", "60", "--start", "20", "--step", "5")
LOG_LINE = re.compile(r"time=\S+ level=\w+ event=([\w-]+)((?: [\w-]+=(?:\"[^\"]*\"|\S+))*)")


def play(testbed):
    pages = {path: markdown.Page(path, read(path)) for path in PATHS}
    check_links(pages)
    check_flags(testbed, pages)
    check_log_lines(pages)
    check_modules(pages[DESIGN])
    for page in pages.values():
        run_commands(testbed, page)
    for block in (block for page in pages.values() for block in page.blocks):
        if block.text.startswith("$ nc "):
            server = block.directive("transcript")
            check(server, f"{block.place}: no comment says which server it is")
            play_transcript(testbed, block, shlex.split(server)[1:])
    play_bots(testbed, pages[README])


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def check_links(pages):
    for page in pages.values():
        for link in page.links():
            target = os.path.join(ROOT, os.path.dirname(page.path), link)
            check(os.path.exists(target), f"{page.path} links to {link}, which does not exist")
        for heading in page.anchors():
            check(heading in page.headings(), f"{page.path} has no heading {heading}")
        for name in re.findall(r"`((?:Sources|Tests|scripts)/[\w./-]+)`", page.text):
            check(os.path.exists(os.path.join(ROOT, name)), f"{page.path} names {name}")


def check_flags(testbed, pages):
    """The articles explain exactly the flags and the exit codes that the programs have."""
    helps = {"server": ask(testbed, testbed.server_path, "--help-all"),
             "client": ask(testbed, testbed.client_path, "--help"),
             "bench": ask(testbed, testbed.bench_path, "--help")}
    flags = {name: markdown.flags_of(text) for name, text in helps.items()}
    explained = {"server": {**pages[OPERATING].flags(), **pages[LIMITS].flags()},
                 "client": pages[BIDDING].flags()}
    for name, found in explained.items():
        wanted = flags[name]
        wrong = {flag for flag in {**wanted, **found} if wanted.get(flag) != found.get(flag)}
        check(not wrong, f"of auction-{name} the articles explain wrongly: {sorted(wrong)}")
    short = pages[README].flags()
    check(short and short.items() <= flags["server"].items(), f"{README} explains flags wrongly: {short}")
    known = {"--help", "--help-all", *(flag for each in flags.values() for flag in each)}
    for page in pages.values():
        unknown = page.mentioned_flags() - known
        check(page.path == CONTRIBUTING or not unknown, f"{page.path} names unknown flags {unknown}")
    for name, path in (("server", OPERATING), ("client", BIDDING)):
        codes = markdown.exit_codes_of(helps[name])
        check(codes and pages[path].exit_codes() == codes, f"{path} has not the exit codes {codes}")
    short_help = ask(testbed, testbed.server_path, "--help")
    check(short_help.count("\n") <= 30, "auction-server --help does not fit on a screen")


def ask(testbed, *words):
    program = testbed.spawn(" ".join(words), *words)
    program.check_exit(0)
    return "\n".join(program.lines)


def check_log_lines(pages):
    """Each log line of an example has an event and keys that the server can write."""
    folder = os.path.join(ROOT, "Sources", "Server")
    source = "".join(read(os.path.join(place, name)) for place, _, names in os.walk(folder)
                     for name in names if name.endswith(".swift"))
    # The cases of an enumeration of strings, which are lists with a comma, are their own words.
    cases = set(re.findall(r"[a-z]\w*", " ".join(re.findall(r"^ +case ((?:\w+, ?\s*)+\w+)$", source, re.MULTILINE))))
    for page in pages.values():
        for block in page.blocks:
            for line in block.lines:
                if line.startswith("time="):
                    found = LOG_LINE.fullmatch(line)
                    check(found, f"{block.place}: no line of a log: {line}")
                    words = [found[1], *re.findall(r" ([\w-]+)=", re.sub(r'"[^"]*"', "", found[2]))]
                    unknown = [word for word in words
                               if word not in cases and f'"{word}"' not in source and f" {word}=" not in source]
                    check(not unknown, f"{block.place}: the server writes no {unknown}")


def check_modules(page):
    """The table of modules has each module, and files of it."""
    explained = set()
    for cells in page.rows():
        files = re.findall(r"`([\w+]+\.swift)`", cells[1])
        names = cells[0].split(", ")
        if files:
            explained.update(names)
            folders = (os.walk(os.path.join(ROOT, "Sources", name)) for name in names)
            there = {file for folder in folders for _, _, each in folder for file in each}
            check(set(files) <= there, f"{page.path}: {cells[0]} has not all of {files}")
    modules = {name for name in os.listdir(os.path.join(ROOT, "Sources")) if name[0].isupper()}
    check(explained == modules, f"{page.path} explains {sorted(explained ^ modules)} wrongly or not at all")


def run_commands(testbed, page):
    """Runs the shell blocks of a page in one folder, in their order."""
    blocks = [block for block in page.blocks if block.language in ("sh", "console", "ini", "python")]
    for block in blocks:
        for command in commands(block.lines):
            check_names(command, block)
    blocks = [block for block in blocks if not block.directive("not run")]
    if blocks:
        has_game = any(block.language in ("console", "python") for block in blocks)
        sandbox = testbed.close_at_end(Sandbox(testbed, has_game))
        for block in blocks:
            sandbox.run(block)
        sandbox.close()


def check_names(command, block):
    """The scripts, products and suites that a command names exist, whether it is run or not."""
    words = command.split()
    if words[0].startswith("scripts/"):
        check(os.access(os.path.join(ROOT, words[0]), os.X_OK), f"{block.place}: there is no {words[0]}")
    for flag, name in zip(words, words[1:]):
        if flag in ("--product", "--filter"):
            check(f'name: "{name}"' in read("Package.swift"), f"{block.place}: there is no {name}")


def play_bots(testbed, page):
    """Two copies of the bot bid against each other, whatever the first bid and the step."""
    block, = (block for block in page.blocks if block.language == "bash")
    testbed.serve(*BOT_RULES)
    observer = testbed.connect("observer")
    bot = block.text.replace("7777", str(testbed.port))
    bots = [testbed.spawn(f"bot {number}", "bash", "-c", bot) for number in (1, 2)]
    observer.expect(r"JOINED .+")
    observer.expect(r"JOINED .+")
    winner = observer.expect(r"WINNER bot-\d+ \d+ .+")
    check(int(winner.split()[2]) > 490, f"the bots stopped early: {winner}")
    prices = [line.split()[2] for line in observer.lines if line.startswith("PRICE ")]
    check(len(set(prices)) == 2, f"one bot alone has bid: {prices}")
    check(not any(each.errors.lines for each in bots), f"the bots complain: {[each.errors.lines for each in bots]}")
