import HealthSyncDomain

/// A day at a glance, and the week up to it.
struct WeekSection {
    let week: WeekOverview
    /// Whether a metric has figures of the last day: its overview may not be derived yet.
    let hasFigures: Bool
    let numbers: NumberForm

    private typealias Glance = (
        name: String, unit: String, places: Int, isSum: Bool, value: @Sendable (ActivitySnapshot) -> Double?
    )

    private static let glances: [Glance] = [
        ("Steps", "", 0, true, { $0.steps }), ("Walked", " km", 2, true, { $0.walkingDistanceKilometres }),
        ("Active energy", " kcal", 0, true, { $0.activeEnergyKilocalories }),
        ("Exercise", " min", 0, true, { $0.exerciseMinutes }),
        ("At rest", " /min", 0, false, { $0.restingHeartRate }), ("Asleep", "", 0, false, { $0.minutesAsleep }),
    ]

    var markup: Markup {
        let last = week.days.last
        let snapshot = week.snapshots.last ?? ActivitySnapshot(day: last)
        return .tag(
            "div", [],
            .tag(
                "section", [.class("card"), .id("glance")], .tag("h2", [], Figure.day(last)),
                snapshot.isEmpty
                    ? .tag("p", [], .text(hasFigures ? Self.underived : Self.nothing))
                    : FactList.markup(Self.glances.compactMap { fact($0, snapshot) })),
            week.snapshots.allSatisfy(\.isEmpty)
                ? .nothing
                : .tag(
                    "section", [.class("card"), .id("week")], .tag("h2", [], "Week at a glance"), chart, table.markup))
    }

    private static let nothing = "No steps, distance, energy, exercise, resting heart rate or sleep on this day."
    private static let underived = "The overview of this day is not derived yet. The next run derives it."

    private func fact(_ glance: Glance, _ snapshot: ActivitySnapshot) -> (name: String, value: Markup)? {
        glance.value(snapshot).map { (glance.name, cell($0, glance)) }
    }

    private func cell(_ value: Double, _ glance: Glance) -> Markup {
        guard glance.name != "Asleep" else { return Figure.number(value, DurationText.minutes(value)) }
        return Figure.number(value, numbers.rounded(value, places: glance.places) + glance.unit)
    }

    private var chart: Markup {
        let columns = week.snapshots.map { snapshot in
            let steps = snapshot.steps.map { "\(numbers.whole($0)) steps" } ?? "no steps recorded"
            var column = ChartColumn(
                "\(Figure.dayText(snapshot.day)): \(steps)", label: snapshot.day.weekdayName,
                address: Choice.address(StepsPage.address, [("by", "hour"), ("day", "\(snapshot.day)")]))
            column.parts = [(snapshot.steps ?? 0, "bar")]
            column.isPartial = snapshot.day == week.incompleteDay && snapshot.steps != nil
            return column
        }
        return ColumnChart(
            description: "Steps of seven days", columns: columns, unit: 1, area: ChartArea(height: 180),
            mark: { numbers.mark($0) }
        ).markup
    }

    private var table: DataTable {
        let glances = Self.glances.filter { glance in week.snapshots.contains { glance.value($0) != nil } }
        var table = DataTable(
            "Seven days and their averages",
            [.text("Day")] + glances.map { .number($0.name) })
        for snapshot in week.snapshots.reversed() {
            table.add(
                [Figure.day(snapshot.day)]
                    + glances.map { glance in glance.value(snapshot).map { cell($0, glance) } ?? "–" })
        }
        table.add(
            [.text(week.averagesLackToday ? "Average, sums without today" : "Average")]
                + glances.map { glance in
                    week.average(ofSum: glance.isSum, glance.value).map { cell($0, glance) } ?? "–"
                })
        return table
    }
}
