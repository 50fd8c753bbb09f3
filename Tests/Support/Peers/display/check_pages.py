"""Checks HTML pages with Python's HTML parser against the rules for every page.

    check_pages.py FOLDER      prints {"name.html": {"problems": [...], "data": [...], "text": "...", "links": [...]}}

A page is valid if its elements are closed in order, its ids are unique, it has no inline script or style, it loads from
and links to no other host, every field has a label, every drawing, link and button has a name, and its headings do not
skip a level.
"""

import json
import pathlib
import sys
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.problems, self.open, self.ids, self.labels, self.fields = [], [], [], set(), []
        self.data, self.text, self.links, self.headings, self.names = [], [], [], [], []
        self.has_doctype = False

    def handle_decl(self, decl):
        self.has_doctype = decl.lower() == "doctype html"

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if len(values) != len(attrs):
            self.problems.append(f"<{tag}> has a duplicate attribute")
        for name, value in attrs:
            if name.startswith("on") or name == "style" or (value or "").strip().lower().startswith("javascript:"):
                self.problems.append(f"<{tag}> has {name}")
            if name in ("href", "src", "action", "formaction"):
                self.links.append(value)
                if not (value.startswith("/") and not value.startswith("//")) and not value.startswith("#"):
                    self.problems.append(f"<{tag}> leads to {value}")
        if tag == "style" or (tag == "script" and "src" not in values):
            self.problems.append(f"inline <{tag}>")
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "label":
            self.labels.add(values.get("for"))
        if tag in ("input", "select", "textarea") and values.get("type") != "hidden" and "aria-label" not in values:
            self.fields.append(values.get("id"))
        if tag == "svg" and "aria-label" not in values and "aria-hidden" not in values:
            self.problems.append("a drawing without a name")
        if tag == "data":
            self.data.append(values["value"])
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))
        if tag == "html" and not values.get("lang"):
            self.problems.append("no language")
        if tag == "img" and "alt" not in values:
            self.problems.append("an image without alt")
        if tag == "button" or tag == "a":
            self.names.append((tag, len(self.text), bool(values.get("aria-label")), len(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> closes {self.open[-1:]}")
            return
        self.open.pop()
        if self.names and self.names[-1][0] == tag and self.names[-1][3] == len(self.open):
            _, start, is_named, _ = self.names.pop()
            if not is_named and not "".join(self.text[start:]).strip():
                self.problems.append(f"a <{tag}> without a name")

    def handle_data(self, data):
        self.text.append(data)

    def result(self):
        if not self.has_doctype:
            self.problems.append("no doctype")
        if self.open:
            self.problems.append(f"not closed: {self.open}")
        if len(set(self.ids)) != len(self.ids):
            self.problems.append(f"duplicate ids: {sorted(self.ids)}")
        for field in self.fields:
            if field not in self.labels:
                self.problems.append(f"the field {field} has no label")
        if self.headings.count(1) != 1:
            self.problems.append("not exactly one first-level heading")
        for before, after in zip(self.headings, self.headings[1:]):
            if after > before + 1:
                self.problems.append(f"a heading of level {after} after {before}")
        return {
            "problems": self.problems, "data": self.data, "text": " ".join("".join(self.text).split()),
            "links": self.links,
        }


def checked(path):
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page.result()


if __name__ == "__main__":
    pages = sorted(pathlib.Path(sys.argv[1]).glob("*.html"))
    assert pages, "nothing to check"
    print(json.dumps({page.name: checked(page) for page in pages}))
