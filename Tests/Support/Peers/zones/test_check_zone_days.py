"""Tests of the checker of calendar days: run with `python3 -m unittest` in this folder."""

import contextlib
import io
import unittest

import check_zone_days


def printed(*arguments):
    """Returns exit status and standard output of the checker."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            status = check_zone_days.main(list(arguments))
        except SystemExit as end:
            status = end.code
    return status, out.getvalue()


class ZoneDayTests(unittest.TestCase):
    def starts(self, *arguments):
        status, out = printed(*arguments)
        self.assertEqual(status, 0)
        return [int(line.split()[1]) for line in out.splitlines()]

    def hours(self, *arguments):
        starts = self.starts(*arguments)
        return [(right - left) / 3600 for left, right in zip(starts, starts[1:])]

    def test_lengths(self):
        self.assertEqual(self.hours("Europe/Paris", "2024-03-30", "2024-04-01"), [24, 23])
        self.assertEqual(self.hours("Europe/Paris", "2024-10-26", "2024-10-28"), [24, 25])
        self.assertEqual(self.hours("Australia/Lord_Howe", "2024-04-07", "2024-04-08"), [24.5])
        self.assertEqual(self.hours("Asia/Kolkata", "2024-03-30", "2024-04-01"), [24, 24])

    def test_midnight_in_a_gap(self):
        self.assertEqual(self.starts("America/Sao_Paulo", "2018-11-04", "2018-11-04"), [1541300400])
        self.assertEqual(self.hours("America/Sao_Paulo", "2018-11-03", "2018-11-05"), [24, 23])
        self.assertEqual(self.hours("America/Toronto", "1919-03-30", "1919-04-01"), [23.5, 23.5])
        self.assertEqual(self.hours("Pacific/Apia", "2011-12-29", "2011-12-31"), [24, 0])

    def test_midnight_twice(self):
        self.assertEqual(self.hours("America/Havana", "2024-11-02", "2024-11-04"), [24, 25])
        self.assertEqual(self.hours("America/St_Johns", "2006-10-28", "2006-10-30"), [24, 25])
        self.assertEqual(self.hours("America/Sao_Paulo", "2018-02-16", "2018-02-19"), [24, 25, 24])

    def test_invalid_arguments(self):
        for arguments in (("Mars/Base", "2024-01-01", "2024-01-02"), ("UTC", "2024-02-30", "2024-03-01"),
                          ("UTC", "2024-03-02", "2024-03-01")):
            self.assertEqual(printed(*arguments)[0], 2)


if __name__ == "__main__":
    unittest.main()
