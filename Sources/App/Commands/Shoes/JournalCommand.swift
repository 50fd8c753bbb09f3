import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync journal`
enum JournalCommand: Command {
    static let declaration = CommandDeclaration(
        "journal", "Show steps, distance and shoes of a day by hour",
        discussion: [
            "Shoes that were worn for part of an hour are listed below it, with the steps of that part. `shoes assign "
                + "--hours` accepts the names of hours shown here."
        ],
        arguments: [ShownDays.dayArgument], examples: ["journal", "journal yesterday", "journal 2024-01-15 --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let day = try DayText.day(context.parsed.arguments.first ?? "today", today: today)
        let found = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.shoes.journal(of: day)
        }
        let view = JournalView(
            journal: found.journal, names: ShoeNames(found.shoes), clock: settings.clock)
        context.show(charts: view.lines(context.style), json: view.json)
        return .done
    }
}

/// Steps, distance and shoes of a day by hour.
private struct JournalView {
    let journal: ShoeJournal
    let names: ShoeNames
    let clock: DayClock

    func lines(_ style: OutputStyle) -> [String] {
        guard journal.total != WalkFigures() || !journal.uses.isEmpty else {
            return [journal.day.nameAndDate, "  nothing recorded"]
        }
        return [journal.day.nameAndDate] + hours(style) + [""] + totals(style)
    }

    private func hours(_ style: OutputStyle) -> [String] {
        var table = ChartTable(
            heads: [("hour", .left)] + WalkText.heads + [("shoes", .left)], nameColumn: 3, leastName: 8)
        // Truncate long names to leave room for the bars.
        let columns = style.width.map { max(24, $0 / 3) } ?? .max
        func label(_ shoe: Shoe.ID) -> String { DisplayText.fitted(names.label(shoe), columns: columns) }
        for hour in journal.hours {
            let fullHour = hour.wearings.first { $0.range == hour.range }
            let name = hour.name ?? time(hour.range.start)
            table.add(
                [name] + WalkText.cells(hour.figures) + [fullHour.map { label($0.shoe) } ?? ""],
                value: hour.figures.steps)
            for part in hour.wearings where part.range != hour.range {
                let range = "  \(time(part.range.start))-\(time(part.range.end))"
                table.add([range] + WalkText.cells(part.figures) + [label(part.shoe)], value: nil)
            }
        }
        return table.lines(style)
    }

    private func totals(_ style: OutputStyle) -> [String] {
        var table = TextTable(heads: [("", .left)] + WalkText.heads + [("worn", .right)])
        for use in journal.uses {
            table.add(
                [names.label(use.shoe)] + WalkText.cells(use.figures) + [
                    DurationText.minutes(milliseconds: Double(use.worn))
                ])
        }
        table.add(["unattributed"] + WalkText.cells(journal.unattributed))
        table.add(["total"] + WalkText.cells(journal.total))
        table.cut(0, toFit: style.width, least: 12)
        return table.lines()
    }

    /// Returns local time as `08:15`.
    private func time(_ instant: Instant) -> String { String(Figures.wallClock(instant, clock).dropFirst(11)) }
}

extension JournalView: JSONEncodable {
    package var json: JSONValue {
        [
            "day": journal.day, "zone": clock.home.identifier, "total": JSONValue.walk(journal.total),
            "shoes": journal.uses.map { use in
                JSONValue.joined(
                    names.members(use.shoe), ["wornMinutes": JSONValue.minutes(use.worn)], .walk(use.figures))
            },
            "unattributed": JSONValue.walk(journal.unattributed), "hours": journal.hours.map(hour),
        ]
    }

    private func hour(_ hour: ShoeJournal.Hour) -> JSONValue {
        let wearings = hour.wearings.map { part in
            JSONValue.joined(
                names.members(part.shoe), .range(part.range.start, part.range.end, clock), .walk(part.figures))
        }
        return .joined(
            ["hour": hour.name], .range(hour.range.start, hour.range.end, clock), .walk(hour.figures),
            ["wearings": wearings])
    }
}
