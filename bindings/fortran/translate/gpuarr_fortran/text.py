"""Lines of C++ that know which line of the source they come from."""


class Text:
    """Collects lines; a compiler sees each statement on the user's own line."""

    def __init__(self, file_name):
        self.file_name = file_name
        self.lines = []
        self.depth = 0
        self.next = None  # the number that a compiler gives to the next line

    def statement(self, line, text):
        """Add a line of the text that stands for a line of the source."""
        if line != self.next:
            self.lines.append(f'#line {line} "{self.file_name}"')
            self.next = line
        self.add(text)

    def add(self, text):
        """Add a line that stands for none."""
        self.lines.append("  " * self.depth + text)
        if self.next is not None:
            self.next += 1

    def open(self, line, text):
        self.statement(line, text)
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.add(text)

    def join_if_short(self, first):
        """Put a block of one statement, from line `first` on, on the line before it, as it is in
        the source."""
        inside = [line for line in self.lines[first:-1] if not line.startswith("#line")]
        if len(inside) != 1:
            return
        head = self.lines[first - 1].removesuffix(" {")
        self.lines[first - 1:] = [f"{head} {inside[0].strip()}"]
        self.next = None

    def label(self, name):
        """A label at the end of a block."""
        self.lines.append("  " * (self.depth - 1) + f"{name}:;")
        if self.next is not None:
            self.next += 1

    def append(self, other):
        self.lines += other.lines
        self.next = None

    def __str__(self):
        return "\n".join(self.lines) + "\n"
