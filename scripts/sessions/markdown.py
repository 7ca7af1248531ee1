"""The blocks, the tables and the links of a Markdown page."""

from __future__ import annotations

import re


class Block:
    """A fenced block of code, with the comment right before it, such as `not run: it builds`."""

    def __init__(self, page, number, language, comment):
        self.place = f"{page.path}:{number}"
        self.language, self.comment, self.lines = language, comment, []

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)

    def directive(self, word):
        """The comment after `word:`; None if it begins otherwise."""
        found = re.fullmatch(rf"{word}: (.+)", self.comment)
        return found and found[1]


class Page:
    """One Markdown file."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.blocks = list(self._read_blocks())

    def _read_blocks(self):
        block, comment = None, ""
        for number, line in enumerate(self.text.splitlines(), 1):
            fence = re.match(r"```(\w*)", line)
            if fence and block is None:
                block = Block(self, number, fence[1], comment)
            elif fence:
                yield block
                block, comment = None, ""
            elif block is not None:
                block.lines.append(line)
            else:
                found = re.fullmatch(r"<!-- (.+) -->", line)
                comment = found[1] if found else "" if line else comment
        assert block is None, f"{self.path}: a block has no end"

    def rows(self):
        """The cells of each row of each table."""
        for line in self.text.splitlines():
            if line.startswith("| "):
                yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]

    def flags(self):
        """The flags that the tables explain, with their defaults as text."""
        rows = [cells for cells in self.rows() if cells[0].startswith("`--")]
        return {re.match(r"`(--[\w-]+)", cells[0])[1]: cells[1] for cells in rows}

    def exit_codes(self):
        """The exit codes that the tables explain."""
        return [int(cells[0]) for cells in self.rows() if cells[0].isdigit()]

    def mentioned_flags(self):
        """Every flag in inline code, without those of the scripts."""
        spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", self.text, flags=re.DOTALL))
        return {flag for span in spans if not re.match(r"scripts/|swift ", span)
                for flag in re.findall(r"(?<!\S)--[a-z][\w-]*", span)}

    def links(self):
        """The files that it links to."""
        return re.findall(r"\]\((?!https?:)([^)#]+)\)", self.text)

    def anchors(self):
        """The headings in the page that it links to."""
        return [anchor.replace("-", " ") for anchor in re.findall(r"\]\(#([^)]+)\)", self.text)]

    def headings(self):
        return re.findall(r"^#+ (.+)$", self.text, re.MULTILINE)


def flags_of(help_text):
    """The flags that a help text explains, with their defaults as text."""
    flags, name = {}, None
    for line in help_text.splitlines():
        found = re.match(r"  (?:-\w, )?(--[\w-]+)", line)
        name = found[1] if found else name if line.startswith("   ") else None
        if name:
            flags[name] = flags.get(name, "") + " " + line.strip()
    defaults = {name: re.search(r"\bdefault ([^\s,)]+)\)", text) for name, text in flags.items()}
    return {name: found[1] if found else "" for name, found in defaults.items()
            if name not in ("--help", "--help-all", "--version")}


def exit_codes_of(help_text):
    """The exit codes that a help text explains."""
    table = help_text.partition("Exit codes:\n")[2].partition("\n\n")[0]
    return [int(line.split()[0]) for line in table.splitlines()]
