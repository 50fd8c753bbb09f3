"""Sends forms of pages as a browser would."""

import contextlib
import html.parser
import http.client
import sqlite3
import urllib.parse
from contextlib import closing

from support.harness import PATIENCE

FORM = "application/x-www-form-urlencoded"


class Forms(html.parser.HTMLParser):
    """The forms of a page with their values and every box ticked: (address, fields)."""

    def __init__(self, text):
        super().__init__()
        self.found, self.fields, self.action, self.choice = [], None, None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form" and given.get("method") == "post":
            self.fields, self.action, self.others = [], given["action"], []
        if self.fields is None:
            return
        if tag == "input" and "name" in given:
            self.fields.append((given["name"], given.get("value") or ""))
        if tag == "select":
            self.choice = given["name"]
        if tag == "option" and self.choice:
            self.fields.append((self.choice, given["value"]))
            self.choice = None
        if tag == "button" and "formaction" in given:
            self.others.append(given["formaction"])

    def handle_endtag(self, tag):
        if tag == "form" and self.fields is not None:
            self.found += [(action, list(self.fields)) for action in [self.action, *self.others]]
            self.fields = None


class Site:
    """Requests pages at an address like a browser with a cookie."""

    def __init__(self, url, databases):
        self.host = urllib.parse.urlsplit(url).netloc
        self.databases = databases
        self.cookie = {}

    def ask(self, method, path, headers=(), body=None):
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        # The answer to a body that is too large may come before the body is sent.
        with contextlib.suppress(ConnectionError):
            connection.request(method, path, body, {**self.cookie, **dict(headers)})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    def forms(self, *pages):
        """Returns the forms by address; of several with the same address, the first."""
        found = {}
        for page in pages:
            for address, fields in Forms(self.ask("GET", page)[1]).found:
                found.setdefault(address, fields)
        return found

    def own(self, **more):
        return {"Content-Type": FORM, "Origin": f"http://{self.host}", **{name.replace("_", "-"): value for name, value in more.items()}}

    def dump(self):
        """Returns the contents of the databases, except for the times at which tokens were last used."""
        lines = []
        for path in self.databases:
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
                for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                    columns = [row[1] for row in connection.execute(f"PRAGMA table_info('{table}')") if row[1] != "last_used_at_ms"]
                    lines += [(table, row) for row in connection.execute(f"SELECT {', '.join(columns)} FROM \"{table}\"")]
        return lines
