"""What cannot be translated: an error at the user's own line."""


class Refused(Exception):
    """Says what is wrong with a line of the source, and what would be right."""

    def __init__(self, line, message):
        super().__init__(message)
        self.line = line
        self.message = message


def line_of(node, default=0):
    """The source line of a node of the tree: that of its statement, or of one around it."""
    while node is not None:
        item = getattr(node, "item", None)
        if item is not None and getattr(item, "span", None):
            return item.span[0]
        content = getattr(node, "content", None)
        if content and content[0] is not node and getattr(content[0], "item", None) is not None:
            return content[0].item.span[0]
        node = getattr(node, "parent", None)
    return default
