"""The figures of a class: scripts/class-figures plays small classes, and draws tables whose numbers are known.

The printed numbers are compared with what follows from the tables by the rules of this file.
"""

from __future__ import annotations

import collections
import csv
import math
import os
import struct
import subprocess
import zlib

from checks import check
from programs import ROOT

TITLE = "scripts/class-figures plays small classes, and prints and draws what their tables say"
SCRIPT = os.path.join(ROOT, "scripts", "class-figures")
FIGURES = "bids", "revenue", "curse"
FORMATS = {"sealed", "dutch", "vickrey", "english", "allpay"}
STUDENTS, SIZES = 24, {2, 3, 4, 6, 8}
NO_INTERVAL = "-"
BIDDERS = """session,round,practice,treatment,format,group,size,bidder,value,estimate,bid,won,efficiency,equilibrium
abcd,1,yes,1,sealed,1,2,ann,100,,999,yes,1.0000,75.00
abcd,2,no,1,sealed,1,2,ann,100,,80,yes,1.0000,75.00
abcd,2,no,1,sealed,1,2,bob,60,,54,no,1.0000,55.00
abcd,2,no,1,sealed,2,2,cyd,140,,100000,yes,1.0000,95.00
abcd,2,no,1,sealed,2,2,dan,150,,,no,1.0000,100.00
abcd,3,no,1,sealed,1,2,ann,120,,10,no,,85.00
abcd,4,no,2,english,1,2,ann,90,,88,no,1.0000,90.00
abcd,4,no,2,english,1,2,bob,140,,89,yes,1.0000,140.00
abcd,5,no,3,vickrey,1,2,ann,90,110,110,yes,1.0000,
"""
LOTS = """session,round,practice,treatment,format,group,size,winner,price,revenue,winner_value,efficiency,theoretical_revenue
abcd,1,yes,1,sealed,1,2,ann,999,999,100,1.0000,83.33
abcd,2,no,1,sealed,1,2,ann,80,80,100,1.0000,83.33
abcd,2,no,1,sealed,2,2,cyd,90,90,140,1.0000,83.33
abcd,2,no,1,sealed,3,3,,,0,,0.0000,100.00
abcd,3,no,1,sealed,1,2,,,0,,,83.33
abcd,4,no,2,english,1,2,bob,89,89,140,1.0000,83.33
abcd,5,no,3,vickrey,1,2,ann,70,70,90,1.0000,
abcd,5,no,3,vickrey,2,2,bob,100,100,90,1.0000,
abcd,5,no,3,vickrey,3,2,,,0,,0.0000,
"""
PRINTED = {
    "bids": {("sealed", "2"): [3, 100, 33378, 75, 33303], ("english", "2"): [1, 90, 88, 90, -2]},
    "revenue": {("sealed",): [3, 56.67, 122.54, 88.89], ("english",): [1, 89, None, 83.33]},
    "curse": {("vickrey", "2"): [2, 5, 190.59, 50]},
}
"""What these tables say; the interval of the bids, which nobody can check in the head, is left out."""


def missing_requirement(_):
    done = subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True, check=False)
    return "no python3-matplotlib" if done.returncode else ""


def play(testbed):
    draw_known_tables(testbed)
    refuse(testbed)
    folder = os.path.join(testbed.folder, "simulated")
    printed = run(testbed, folder, "--students", str(STUDENTS), "--rounds", "1", "--server", testbed.server_path)
    bidders, lots = (read(os.path.join(folder, name)) for name in ("class.csv", "class-lots.csv"))
    expected = {"bids": bids_of(bidders), "revenue": revenue_of(lots), "curse": curse_of(lots)}
    check({kind for kind, in expected["revenue"]} == FORMATS, "the simulated classes lack a format", *expected["revenue"])
    check({int(size) for _, size in expected["curse"]} == SIZES, "the simulated classes lack a size", *expected["curse"])
    check(len(bidders) == STUDENTS * (5 + 2 * len(SIZES)), f"the table has {len(bidders)} rows of bidders")
    compare(printed, expected)
    for name in FIGURES:
        check_picture(os.path.join(folder, f"{name}.png"))


def run(testbed, *arguments, code=0):
    """The tables that the script prints, by the name of the figure, each with its rows by their words.

    If an error is expected, the lines of the error.
    """
    program = testbed.spawn("class-figures", SCRIPT, *arguments)
    program.check_exit(code, 240)
    if code:
        return program.errors.lines
    check(not program.errors.lines, "the script complains", *program.errors.lines)
    tables = collections.defaultdict(dict)
    name = header = None
    for line in program.lines:
        words = line.split()
        if found := [name for name in FIGURES if line.endswith((f"/{name}.png", f"/{name}.svg"))]:
            name, header = found[0], None
        elif name and words and not header:
            header = line
        elif name and words:
            count = 1 if name == "revenue" else 2
            tables[name][tuple(words[:count])] = [None if word == NO_INTERVAL else float(word) for word in words[count:]]
        elif not words:
            name = None
    return tables


def draw_known_tables(testbed):
    paths = testbed.secret("known.csv", BIDDERS), testbed.secret("known-lots.csv", LOTS)
    folder = os.path.join(testbed.folder, "known")
    printed = run(testbed, folder, "--csv", paths[0], "--lots", paths[1], "--svg")
    without = {row: numbers[:-1] for row, numbers in printed["bids"].items()}
    compare({**printed, "bids": without}, PRINTED)
    for name in FIGURES:
        with open(os.path.join(folder, f"{name}.svg"), encoding="utf-8") as file:
            check("</svg>" in file.read(), f"{name}.svg is no picture")


def refuse(testbed):
    """Tables in the wrong order, or only one of them, are an error."""
    paths = [os.path.join(testbed.folder, name) for name in ("known-lots.csv", "known.csv")]
    errors = run(testbed, testbed.folder, "--csv", paths[0], "--lots", paths[1], code=1)
    check(errors == [f"class-figures: {paths[0]} has no column equilibrium"], "a wrong table is no error", *errors)
    errors = run(testbed, testbed.folder, "--csv", paths[1], code=2)
    check(errors[-1].endswith("--csv and --lots go together"), "one table is enough", *errors)


def compare(printed, expected):
    """Fails unless each number is the expected one; a quantile may be wrong by one in a hundred."""
    for name in FIGURES:
        check(set(printed[name]) == set(expected[name]), f"{name}: other rows",
              f"printed {sorted(printed[name])}", f"expected {sorted(expected[name])}")
        for row, numbers in expected[name].items():
            pairs = list(zip(printed[name][row], numbers, strict=True))
            check(all(found == wanted if None in (found, wanted) else abs(found - wanted) <= 0.0051 + 0.01 * abs(wanted)
                      for found, wanted in pairs), f"{name}: {row} has {printed[name][row]}, not {numbers}")


# The numbers, from the tables alone


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def bids_of(bidders):
    """For each format and size the number and the means of bids, and by how much they differ from the equilibrium."""
    found = collections.defaultdict(list)
    for row in bidders:
        if row["bid"] and row["equilibrium"] and not row["estimate"] and not (row["format"] == "english" and row["won"] == "yes"):
            found[row["format"], row["size"]].append([float(row[name]) for name in ("value", "bid", "equilibrium")])
    return {row: [len(bids), *(sum(column) / len(bids) for column in zip(*bids)),
                  *interval([bid - wanted for _, bid, wanted in bids])] for row, bids in found.items()}


def revenue_of(lots):
    found = collections.defaultdict(list)
    for row in lots:
        if row["theoretical_revenue"]:
            found[row["format"],].append([float(row[name]) for name in ("revenue", "theoretical_revenue")])
    return {row: [len(pairs), *interval([revenue for revenue, _ in pairs]), sum(theory for _, theory in pairs) / len(pairs)]
            for row, pairs in found.items()}


def curse_of(lots):
    found = collections.defaultdict(list)
    for row in lots:
        if row["winner"] and not row["theoretical_revenue"]:
            found[row["format"], row["size"]].append(int(row["winner_value"]) - int(row["price"]))
    return {row: [len(profits), *interval(profits), 100 * len([profit for profit in profits if profit < 0]) / len(profits)]
            for row, profits in found.items()}


def interval(numbers):
    """The mean, and half of its 95 % confidence interval; None if there is none."""
    count = len(numbers)
    mean = sum(numbers) / count
    if count < 2:
        return mean, None
    variance = sum((number - mean) ** 2 for number in numbers) / (count - 1)
    return mean, quantile(count - 1) * math.sqrt(variance / count)


def quantile(degrees):
    """The 97.5 % quantile of Student's t distribution: where the integral of its density has grown to 0.475."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    place, area, step = 0.0, 0.0, 0.0005
    while area < 0.475:
        area += step * scale * (1 + (place + step / 2) ** 2 / degrees) ** (-(degrees + 1) / 2)
        place += step
    return place


def check_picture(path):
    """Fails unless the file is a whole PNG of a good size with a drawing on it."""
    with open(path, "rb") as file:
        data = file.read()
    check(data.startswith(b"\x89PNG\r\n\x1a\n"), f"{path} is no PNG")
    place, pixels, names = 8, b"", []
    while place < len(data):
        size, name = struct.unpack_from(">I4s", data, place)
        content = data[place + 8:place + 8 + size]
        check(zlib.crc32(name + content) == struct.unpack_from(">I", data, place + 8 + size)[0], f"{path} is damaged")
        if name == b"IHDR":
            width, height = struct.unpack_from(">II", content)
        pixels += content if name == b"IDAT" else b""
        place, names = place + size + 12, [*names, name]
    rows = zlib.decompress(pixels)
    stride = len(rows) // height
    kinds = len({rows[start:start + stride] for start in range(0, len(rows), stride)})
    check(names[-1] == b"IEND" and width > 700 and height > 500, f"{path} has only {width} x {height} pixels")
    check(kinds > height // 10, f"{path} is nearly empty: {kinds} different rows of pixels")
