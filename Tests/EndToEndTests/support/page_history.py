"""Records, streaks, averages and trends on pages, computed here from the days that the commands report."""

import datetime
import itertools
import statistics

from support.page_cells import value


def runs(days):
    """Returns the runs of consecutive days, ascending."""
    groups = itertools.groupby(enumerate(sorted(days)), lambda pair: pair[1].toordinal() - pair[0])
    return [[day for _, day in group] for _, group in groups]


def longest(days):
    """Returns the longest run, and of equally long ones the first."""
    return max(runs(days), key=len)


def slope(quantities):
    """Returns the slope of the line of least squares, per year."""
    ages = [day.toordinal() for day in quantities]
    return statistics.linear_regression(ages, list(quantities.values())).slope * 365.2425


def months(quantities, least=10):
    """Returns the quantities of each month with at least `least` days."""
    grouped = itertools.groupby(quantities.items(), lambda pair: (pair[0].year, pair[0].month))
    found = {month: [quantity for _, quantity in pairs] for month, pairs in grouped}
    return {month: own for month, own in found.items() if len(own) >= least}


def all_days(command):
    """Returns the figures of each day by metric, as the commands report them."""
    day = datetime.date.fromisoformat
    span = ("--from", "2000-01-01", "--to", "2025-12-31")
    rates = command("heart", *span, "--by", "day")["periods"]
    nights = [night["main"] for night in command("sleep", *span)["nights"]]
    return {
        "steps": {day(one["period"]): one["steps"] for one in command("steps", *span, "--by", "day")["periods"]
                  if one["steps"] is not None},
        "heart": {day(one["period"]): one["restingBeatsPerMinute"] for one in rates if one["restingBeatsPerMinute"] is not None},
        "sleep": {day(one["day"]): one["totalSleepMinutes"] for one in nights if one["totalSleepMinutes"] is not None},
    }


class HistoryFigures:
    """Compares pages with the figures of all days. `figures` is a `PageFigures`."""

    def __init__(self, test, browser, days, figures):
        self.test, self.browser, self.days, self.figures = test, browser, days, figures

    def check(self):
        for metric, path in (("steps", "/view/steps?by=year"), ("heart", "/view/heart?by=year"), ("sleep", "/view/sleep?last=years")):
            sections = self.figures.show(path)
            self.records(metric, sections)
            self.trend(metric, sections)
        self.years_of_sleep(sections)
        for year in (2018, 2025):
            self.year(year)

    def records(self, metric, sections):
        quantities = self.days[metric]
        facts = self.figures.section(sections, id="records")["facts"]
        names = ("Longest night", "Shortest night") if metric == "sleep" else ("Highest day", "Lowest day")
        for name, extreme in zip(names, (max, min)):
            quantity = extreme(quantities.values())
            first = next(day for day, own in quantities.items() if own == quantity)
            self.figures.same(facts[name]["values"], [quantity])
            self.test.assertEqual(facts[name]["times"], [str(first)])
        self.streak(facts["Longest without a gap"], longest(quantities))
        if metric != "heart":
            median = statistics.median_high(quantities.values()) // 1
            streak = longest(day for day, quantity in quantities.items() if quantity >= median)
            self.streak(facts["Longest streak"], streak, median)

    def streak(self, fact, streak, *bound):
        self.figures.same(fact["values"], [len(streak), *bound])
        self.test.assertEqual(fact["times"], list(dict.fromkeys([str(streak[0]), str(streak[-1])])))

    def trend(self, metric, sections):
        quantities = self.days[metric]
        change = slope(quantities)
        words = self.browser.text("#slope")
        if "No change" in words:
            # Less than the last digit, or than a thousandth of the mean of the years.
            groups = {year: [quantity for day, quantity in quantities.items() if day.year == year]
                      for year in {day.year for day in quantities}}
            self.test.assertLess(abs(change), max(0.5, statistics.fmean(map(statistics.fmean, groups.values())) / 1000))
        else:
            self.figures.same(self.browser.data("#slope"), [abs(change)])
            self.test.assertIn("Falls by" if change < 0 else "Rises by", words)
        means = {month: statistics.fmean(own) for month, own in months(quantities).items()}
        rows = self.figures.section(sections, id="trend")["tables"][0]["rows"]
        years = sorted({day.year for day in quantities}, reverse=True)
        self.test.assertEqual([row[0]["text"] for row in rows], [str(year) for year in years])
        for row, year in zip(rows, years):
            own = [quantity for day, quantity in quantities.items() if day.year == year]
            wanted = [means.get((year, month)) for month in range(1, 13)] + [statistics.fmean(own)]
            self.figures.same([value(cell) for cell in row[1:]], wanted, (metric, year))

    def years_of_sleep(self, sections):
        rows = self.figures.section(sections, id="periods")["tables"][0]["rows"]
        for row in rows:
            own = [quantity for day, quantity in self.days["sleep"].items() if str(day.year) == row[0]["text"]]
            self.test.assertAlmostEqual(value(row[1]), statistics.fmean(own), delta=0.001)
            self.test.assertEqual(value(row[2]), len(own))

    def year(self, year):
        self.figures.show(f"/view/year?year={year}")
        own = {metric: {day: quantity for day, quantity in all.items() if day.year == year} for metric, all in self.days.items()}
        before = {metric: [quantity for day, quantity in all.items() if day.year == year - 1] for metric, all in self.days.items()}
        mean = lambda metric: [statistics.fmean(own[metric].values()), statistics.fmean(before[metric])]
        steps = self.browser.data("#steps")
        median = statistics.median_high(own["steps"].values()) // 1
        streak = longest(day for day, quantity in own["steps"].items() if quantity >= median)
        steadiest = min(months(own["steps"], 20).values(), key=lambda days: statistics.pstdev(days) / statistics.fmean(days))
        self.figures.same(steps[:3], mean("steps") + [sum(own["steps"].values())], year)
        self.figures.same(
            steps[-5:],
            [max(own["steps"].values()), len(streak), median, statistics.fmean(steadiest), statistics.pstdev(steadiest)], year)
        self.figures.same(self.browser.data("#sleep")[:3], mean("sleep") + [max(own["sleep"].values())], year)
        self.figures.same(
            self.browser.data("#resting"), mean("heart") + [min(own["heart"].values()), max(own["heart"].values())], year)
