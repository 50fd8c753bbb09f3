"""Every SQL statement on user data names the user, so that Citus or another extension can spread the tables by user."""

import unittest

from support import harness, statements

FOLDER = harness.ROOT / "Sources/Adapters/Postgres"


class Statements(unittest.TestCase):
    def setUp(self):
        # Migrations concern all users once.
        self.sources = {
            path.name: path.read_text() for path in sorted(FOLDER.rglob("*.swift")) if "Migration" not in path.name}

    def test_every_statement_in_the_sources_names_the_user(self):
        found, wrong = statements.in_source(self.sources)
        self.assertGreater(len(found), 30)
        self.assertEqual(wrong, [])

    def test_a_planted_statement_is_found(self):
        planted = {
            "count.swift": 'run("SELECT count(*) FROM sample_pages WHERE series_id = $1", .int4(1))',
            "update.swift": 'let sql = """\n    UPDATE records SET revision = $1\n    WHERE kind = $2 RETURNING user_id\n    """',
            "insert.swift": 'run("INSERT INTO series (type, user_id) SELECT $1, user_id FROM series")',
            "condition.swift": 'let anyone = "kind = $1"\nrun("SELECT id FROM records WHERE \\(anyone)")',
        }
        _, wrong = statements.in_source({**self.sources, **planted})
        self.assertEqual([name for name, _ in wrong], list(planted))


if __name__ == "__main__":
    unittest.main()
