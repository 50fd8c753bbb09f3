"""Finds SQL statements on user data that concern more than one user. Only without them can a cluster spread the tables by user."""

import re

TABLES = re.compile(
    r"(FROM|JOIN|INTO|UPDATE) (healthsync\.)?(sample_pages|sample_rows|records|series|origins|user_locks|batch_keys)\b")
# A comparison with the user of the statement, or the user's id as the first inserted column.
USER = re.compile(r"user_id = \$1\b|INTO (healthsync\.)?\w+ \(user_id\b")
# The hourly deletion of expired keys, and the search for rows of an earlier version, which are then packed user by user.
EXEMPT = [
    "DELETE FROM batch_keys WHERE received_ms < $1",
    "SELECT user_id, series_id FROM series WHERE (user_id, series_id) >= ($1, $2) AND rows_after IS NOT NULL "
    "ORDER BY user_id, series_id LIMIT 1",
    "SELECT count(*) FROM series WHERE rows_after IS NOT NULL",
]
LITERAL = re.compile(r'"""\n(.*?)"""|"((?:[^"\\\n]|\\.)*)"', re.S)


def concerns_several_users(statement):
    text = " ".join(statement.split())
    return bool(TABLES.search(text)) and not USER.search(text) and text not in EXEMPT


def in_source(sources):
    """Returns all statements on user data in Swift files, given as a dictionary of names and texts, and those that concern
    several users. A condition that is inserted into a statement counts as its definition, if all of that name contain
    the user."""
    literals = [(name, long or short) for name, text in sources.items() for long, short in LITERAL.findall(text)]
    conditions = {}
    for text in sources.values():
        for name, long, short in re.findall(r'(?:let|var) (\w+) = (?:"""\n(.*?)"""|"((?:[^"\\\n]|\\.)*)")', text, re.S):
            conditions.setdefault(name, []).append(long or short)

    def expanded(statement):
        def definition(match):
            known = conditions.get(match[1].split(".")[-1], [])
            return "user_id = $1" if known and all(USER.search(text) for text in known) else match[0]
        return re.sub(r"\\\(([\w.]+)\)", definition, statement)

    statements = [(name, expanded(text)) for name, text in literals if TABLES.search(text)]
    return statements, [(name, text) for name, text in statements if concerns_several_users(text)]
