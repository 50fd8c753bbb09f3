"""Compares each figure on the pages with the output of the commands with --json."""

import datetime
import re

from support.page_cells import clock_times, in_words, period_days, period_name, shown, value
from support.page_sleep import SleepFigures

HEART = [name + "BeatsPerMinute" for name in ("resting", "minimum", "maximum", "mean")]
SNAPSHOT = ["steps", "walkingDistanceKilometres", "activeEnergyKilocalories", "exerciseMinutes", "restingHeartRate", "minutesAsleep"]


class PageFigures(SleepFigures):
    """Compares the pages at `address` with the local JSON output of `command`."""

    def __init__(self, test, browser, address, command, is_served=False):
        self.test, self.browser, self.address, self.command = test, browser, address, command
        # The figures of single sources are not delivered.
        self.has_sources = not is_served

    def show(self, path):
        self.browser.visit(self.address + path, audit=False)
        self.check_texts()
        return self.browser.sections()

    def same(self, found, wanted, what=None):
        """Compares lists of figures; durations on a page are whole milliseconds."""
        self.test.assertEqual(len(found), len(wanted), (what, found, wanted))
        for one, other in zip(found, wanted):
            if one is None or other is None or isinstance(other, str):
                self.test.assertEqual(one, other, (what, found, wanted))
            else:
                self.test.assertAlmostEqual(one, other, delta=1e-4, msg=(what, found, wanted))

    def check_texts(self):
        """Checks that the visible text is the exact value, rounded."""
        times = self.browser.driver.execute_script(
            "return [...document.querySelectorAll('time')].map(t => [t.dateTime, t.textContent])")
        for exact, text in times:
            day, _, clock = exact.partition("T")
            self.test.assertTrue(clock[:5] in text if clock else text.endswith(in_words(day) if "-" in day else day), (exact, text))
        pairs = self.browser.driver.execute_script(
            "return [...document.querySelectorAll('data')].map(d => [Number(d.value), d.textContent])")
        for exact, text in pairs:
            if length := re.fullmatch(r"(?:(\d+) h )?(\d+) min", text):
                minutes = int(length[1] or 0) * 60 + int(length[2])
                self.test.assertLessEqual(abs(minutes - exact), 0.5, text)
                continue
            # The durations of runs, in seconds.
            if length := re.fullmatch(r"(?:(\d+) min )?([\d.]+) (m?s)", text):
                seconds = int(length[1] or 0) * 60 + float(length[2]) / (1000 if length[3] == "ms" else 1)
                self.test.assertLessEqual(abs(seconds - exact), 0.5 if length[3] == "s" else 0.001, text)
                continue
            number = re.match(r"-?[\d,]+(?:\.\d+)?", text)[0]
            # Trailing zeros of decimals are omitted.
            rounding = 0.051 if "." in number or text.endswith(" h") else 0.5
            exact = exact / 60 if text.endswith(" h") else exact
            written = float(number.replace(",", ""))
            # The values of metrics in percent are fractions; the unit follows the element, or is that of the table.
            exact = exact * 100 if 0 < exact <= 1 and written > 1.5 else exact
            self.test.assertLessEqual(abs(written - exact), rounding, text)

    def section(self, sections, **wanted):
        found = [one for one in sections if all(one[name] == text for name, text in wanted.items())]
        self.test.assertEqual(len(found), 1, (wanted, [one["heading"] for one in sections]))
        return found[0]

    def summary(self):
        output = self.command("summary")
        sections = self.show("/")
        if not output["week"]:
            # A dashboard leads to the first import.
            return self.test.assertRegex(sections[0]["text"], "Nothing is recorded yet|Import a file")
        for name, record, members in (
            ("steps", output["steps"], ["quantity"]), ("heart", output["heartRate"], ["minimum", "maximum"]),
            ("sleep", output["sleep"], ["totalSleepMinutes", "sleepEfficiencyPercentage"]),
        ):
            wanted = [record[member] for member in members] if record else []
            if name == "heart" and record and output["restingHeartRate"]:
                wanted.insert(0, output["restingHeartRate"]["quantity"])
            metric = {"heart": "restingHeartRate"}.get(name, name)
            for trend in output["trends"]:
                if trend["metric"] == metric and trend["average"] is not None:
                    means = [trend[member] for member in ("average", "averageBefore", "averageYearAgo")]
                    wanted += [mean for mean in means if mean is not None]
            self.same(self.browser.data(f"#{name}"), wanted, name)
            text = self.section(sections, id=name)["text"]
            self.test.assertIn(in_words(record["day"]) if record else "Nothing recorded", text)
        glance = self.section(sections, id="glance")
        self.same([value(fact) for fact in glance["facts"].values()],
                  [output["snapshot"][name] for name in SNAPSHOT if output["snapshot"][name] is not None])
        *rows, average = self.section(sections, id="week")["tables"][0]["rows"]
        self.test.assertEqual([row[0]["times"] for row in rows], [[day["day"]] for day in reversed(output["week"])])
        # Columns without any figure are hidden.
        names = [name for name in SNAPSHOT if any(day[name] is not None for day in output["week"])]
        for row, day in zip(rows, reversed(output["week"])):
            self.same([value(cell) for cell in row[1:]], [day[name] for name in names], day["day"])
        # The sums of the current day are incomplete.
        age = output["freshness"]
        today = str(datetime.date.fromisoformat(age["lastDay"]) + datetime.timedelta(age["ageDays"])) if age else None
        known = [[day[name] for day in output["week"]
                  if day[name] is not None and (name in SNAPSHOT[4:] or day["day"] != today)] for name in names]
        self.same([value(cell) for cell in average[1:]], [sum(own) / len(own) if own else None for own in known])

    def steps_by_hour(self, day):
        output = self.command("steps", day, "--by", "hour")
        sections = self.show(f"/view/steps?by=hour&day={day}")
        if not output["recordedDays"]:
            return self.test.assertIn(f"No records of steps on {in_words(day)}", sections[0]["text"])
        self.same(self.browser.data("#total"), [output["totalSteps"]])
        period = output["periods"][0]
        rows = sections[0]["tables"][0]["rows"]
        self.test.assertEqual([row[0]["times"] for row in rows], [[hour["start"]] for hour in period["hours"]])
        self.test.assertEqual([row[0]["text"] for row in rows], clock_times(period["hours"]))
        self.same([value(row[1]) for row in rows], [hour["steps"] for hour in period["hours"]], day)
        if not self.has_sources:
            return self.test.assertEqual([one["id"] for one in sections[1:] if one["id"] not in ("habits", "trend")], ["records"])
        sources = [(row[0]["text"], value(row[1])) for row in self.section(sections, heading="Sources")["tables"][0]["rows"]]
        self.test.assertEqual(sources[:-1], [(shown(origin["source"]).strip(), origin["steps"]) for origin in period["origins"]])
        self.test.assertEqual(sources[-1], ("merged", output["totalSteps"]))

    def stretch(self, table, by):
        """Returns the command line that shows the same data."""
        names = [period_name(row[0]["text"]) for row in table["rows"]]
        return "--from", period_days(names[0])[0], "--to", period_days(names[-1])[1], "--by", by

    def recorded(self, table, periods):
        """Returns the rows with their periods. Commands omit periods before and after all data; pages leave them empty."""
        names = [period["period"] for period in periods]
        rows = [row for row in table["rows"] if period_name(row[0]["text"]) in names]
        self.test.assertEqual(len(rows), len(periods))
        for row in table["rows"]:
            if row not in rows:
                self.test.assertFalse(any(value(cell) for cell in row[1:]), row)
        return zip(rows, periods)

    def steps_by(self, by, day):
        sections = self.show(f"/view/steps?by={by}&day={day}")
        if not sections[0]["tables"]:
            return self.test.assertIn("No records of steps", sections[0]["text"])
        table = sections[0]["tables"][0]
        output = self.command("steps", *self.stretch(table, by))
        self.same([value(fact) for fact in sections[0]["facts"].values()],
                  [output["totalSteps"], output["recordedDays"], output["averageStepsPerDay"], output["best"]["steps"]])
        self.test.assertIn(output["best"]["day"], sections[0]["facts"]["Highest day"]["times"])
        for row, period in self.recorded(table, output["periods"]):
            alone = {shown(origin["source"]): origin["steps"] for origin in period["origins"]}
            self.test.assertEqual(period_name(row[0]["text"]), period["period"])
            averages = [] if by == "day" else [period["averageStepsPerDay"]]
            names = table["heads"][2 + len(averages):]
            self.same([value(cell) for cell in row[1:]],
                      [period["steps"], *averages, *(alone.get(name) for name in names)], period["period"])

    def heart_by_hour(self, day):
        output = self.command("heart", day, "--by", "hour")
        section = self.show(f"/view/heart?by=hour&day={day}")[0]
        if not output["recordedDays"]:
            return self.test.assertIn("No records of heart rate", section["text"])
        self.heart_facts(output)
        hours = output["periods"][0]["hours"]
        rows = section["tables"][0]["rows"]
        self.test.assertEqual([row[0]["text"] for row in rows], clock_times(hours))
        for row, hour in zip(rows, hours):
            self.same([value(cell) for cell in row[1:]], [hour[name] for name in HEART[1:]], hour["start"])

    def heart_by(self, by, day):
        section = self.show(f"/view/heart?by={by}&day={day}")[0]
        if not section["tables"]:
            return self.test.assertIn("No records of heart rate", section["text"])
        table = section["tables"][0]
        output = self.command("heart", *self.stretch(table, by))
        self.heart_facts(output)
        for row, period in self.recorded(table, output["periods"]):
            self.same([value(cell) for cell in row[1:]], [period[name] for name in HEART], period["period"])

    def heart_facts(self, output):
        self.same(self.browser.data("#headline"), [output[name] for name in HEART if output[name] is not None])

    def journal(self, day):
        output = self.command("journal", day)
        sections = self.show(f"/view/journal?day={day}")
        tables = self.section(sections, id="hours")["tables"]
        times = clock_times(output["hours"])
        # Hours without figures and shoes follow in a collapsed table.
        for row in (row for table in tables[1:] for row in table["rows"]):
            self.test.assertEqual(([value(cell) or 0 for cell in row[1:3]], row[3]["text"]), ([0, 0], ""))
        rows = sorted((row for table in tables for row in table["rows"]), key=lambda row: times.index(row[0]["text"]))
        self.test.assertEqual([row[0]["text"] for row in rows], times)
        for row, hour in zip(rows, output["hours"]):
            self.same([value(cell) for cell in row[1:3]], [hour["steps"], hour["walkingDistanceKilometres"]], hour["start"])
            for wearing in hour["wearings"]:
                self.test.assertIn(shown(wearing["name"])[:40], row[3]["text"])
            self.test.assertEqual(bool(hour["wearings"]), bool(row[3]["text"]))
        *worn, rest, total = self.section(sections, id="totals")["tables"][0]["rows"]
        self.test.assertEqual(len(worn), len(output["shoes"]))
        for row, shoe in zip(worn, output["shoes"]):
            self.test.assertIn(shown(shoe["name"])[:40], row[0]["text"])
            self.same([value(cell) for cell in row[1:]], [shoe[name] for name in ("steps", "walkingDistanceKilometres", "wornMinutes")])
        for row, figures in ((rest, output["unattributed"]), (total, output["total"])):
            self.same([value(cell) for cell in row[1:3]], [figures["steps"], figures["walkingDistanceKilometres"]])
