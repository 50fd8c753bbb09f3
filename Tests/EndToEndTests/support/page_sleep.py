"""Compares the figures of the Sleep page with those of `sleep --json`."""

import re

from support.page_cells import in_words, shown, value
from support.times import instant


def sources(sleep):
    return ", ".join(map(shown, sleep["sources"]))


class SleepFigures:
    """The sleep part of `PageFigures`."""

    def night(self, day):
        output = self.command("sleep", "--from", day, "--to", day)
        sections = self.show(f"/view/sleep?last=1d&day={day}")
        expected = []
        for night in output["nights"]:
            expected += [("Main sleep", night["main"])] + [("More sleep that night", one) for one in night["additional"]]
            expected += [(f"As {sources(one)} recorded it", one) for one in night["others"]]
        expected += [("Nap", nap) for nap in output["naps"]]
        if not output["nights"]:
            self.test.assertIn(f"No sleep was recorded in the night to {in_words(day)}", sections.pop(0)["text"])
        self.test.assertEqual([one["heading"] for one in sections], [name for name, _ in expected])
        for section, (_, session) in zip(sections, expected):
            self.session(section, session)

    def session(self, section, output):
        facts = section["facts"]
        self.same([value(facts[name]) if name in facts else None for name in ("Asleep", "In bed", "Efficiency")],
                  [output[name] for name in ("totalSleepMinutes", "timeInBedMinutes", "sleepEfficiencyPercentage")])
        self.test.assertEqual([facts[end]["times"] for end in ("From", "To")], [[output[end]] for end in ("start", "end")])
        self.test.assertEqual(facts["Recorded by"]["text"], sources(output).strip())
        names = {"deep": "deep", "core": "core", "REM": "rem", "asleep": "unspecified", "awake": "awake"}
        has_course = bool(output["segments"])
        self.test.assertEqual("provides only the total time of each stage" in section["text"], not has_course)
        stages, courses = section["tables"][:-1 if has_course else None], section["tables"][-1:] if has_course else []
        lengths = {names[row[0]["text"]]: row[1:] for table in stages for row in table["rows"]}
        self.same([value(lengths[name][0]) if name in lengths else 0 for name in names.values()],
                  [output[f"{name}Minutes"] or 0 for name in names.values()])
        for name, (_, share) in lengths.items():
            self.same([value(share)], [100 * output[f"{name}Minutes"] / output["timeInBedMinutes"]])
        self.courses(courses, output)

    def courses(self, courses, output):
        found = [[*row[0]["times"], *row[1]["times"], row[2]["text"].lower().replace(" ", "_")] for course in courses for row in course["rows"]]
        wanted = [[one["start"], one["end"], re.sub("([A-Z])", r"_\1", one["stage"]).lower()] for one in output["segments"]]
        self.test.assertEqual(found, wanted)
        self.same([value(row[3]) for course in courses for row in course["rows"]],
                  [(instant(end) - instant(start)).total_seconds() / 60 for start, end, _ in wanted])

    def nights(self, last, day):
        output = self.command("sleep", "--last", last, "--to", day)
        sections = self.show(f"/view/sleep?last={last}&day={day}")
        if not output["nights"]:
            self.test.assertIn("No nights were recorded", sections[0]["text"])
        elif output["averages"] is None or not output["averages"]["nights"]:
            self.test.assertIn("Only the time in bed is known", sections[0]["text"])
        else:
            averages, stages = output["averages"], output["averages"]["stages"] or {}
            names = {"Asleep": "totalSleepMinutes", "In bed": "timeInBedMinutes", "Efficiency": "sleepEfficiencyPercentage",
                     "Nights with sleep": "nights"}
            wanted = {name: averages[member] for name, member in names.items()}
            if stages:
                wanted |= {name: stages[f"{name.lower()}Minutes"] for name in ("Deep", "Core", "REM", "Awake")}
            facts = self.section(sections, heading="On average")["facts"]
            self.same([value(facts[name]) for name in wanted], list(wanted.values()))
            self.test.assertEqual(set(facts), set(wanted))
        for heading, sleeps, figures in (
            ("Nights", [night["main"] for night in output["nights"]], ["totalSleepMinutes", "timeInBedMinutes", "sleepEfficiencyPercentage"]),
            ("Naps", output["naps"], ["totalSleepMinutes"]),
        ):
            if not sleeps:
                self.test.assertNotIn(heading, [one["heading"] for one in sections])
                continue
            rows = self.section(sections, heading=heading)["tables"][0]["rows"]
            self.test.assertEqual(
                [[*row[0]["times"], *row[1]["times"], *row[2]["times"]] for row in rows],
                [[sleep["day"], sleep["start"], sleep["end"]] for sleep in reversed(sleeps)])
            for row, sleep in zip(rows, reversed(sleeps)):
                self.same([value(cell) for cell in row[3:]], [sleep[name] for name in figures])
