"""A strict reader of the text format of Prometheus, version 0.0.4.

Source: Prometheus, "Exposition formats", and the rules of `promtool check metrics`.
"""

import math
import re

from checks import check

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf'({NAME})(?:\{{(\w+)="((?:[^"\\\n]|\\["\\n])*)"\}})? ([-+]?(?:\d+(?:\.\d+)?|Inf|NaN))')
TYPES = ("counter", "gauge", "histogram")


def parse(text: str) -> dict:
    """The samples by their names, with the label's value if there is one; fails if a rule is broken."""
    check(text.endswith("\n"), "the last line has no end")
    samples, seen, family, kind = {}, set(), "", ""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("# "):
            found = re.fullmatch(rf"# HELP ({NAME}) (\S.*)", line)
            check(found, f"no help: {line!r}")
            family = found[1]
            declared = re.fullmatch(rf"# TYPE {family} (\w+)", next(lines))
            check(declared and declared[1] in TYPES, f"{family} has no type after its help")
            check(family not in seen, f"{family} is declared twice")
            seen.add(family)
            kind = declared[1]
            check((kind == "counter") == family.endswith("_total"), f"{family} is a {kind}")
            continue
        found = SAMPLE.fullmatch(line)
        check(found, f"no sample: {line!r}")
        name, label, value, number = found.groups()
        suffix = name.removeprefix(family)
        check(suffix in (("_bucket", "_sum", "_count") if kind == "histogram" else ("",)),
              f"{name} stands in the family {family}")
        check(kind != "histogram" or (label == "le") == (suffix == "_bucket"), f"{line!r} has a wrong label")
        key = (name, value) if label else name
        check(key not in samples, f"{key} is repeated")
        samples[key] = float(number)
        check(kind == "gauge" or samples[key] >= 0, f"{key} is negative")
    for family in seen:
        if f"{family}_count" in samples:
            check_histogram(family, samples)
    return samples


def check_histogram(family, samples):
    buckets = [(math.inf if key[1] == "+Inf" else float(key[1]), count) for key, count in samples.items()
               if key[0] == f"{family}_bucket"]
    check(buckets == sorted(buckets), f"the buckets of {family} are not in order, or decrease")
    check(buckets[-1] == (math.inf, samples[f"{family}_count"]), f"{family} has no bucket for all")
