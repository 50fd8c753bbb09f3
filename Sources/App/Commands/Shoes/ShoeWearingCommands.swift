import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync shoes start`
enum ShoesStartCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes start", "Start a session now and end the current one",
        arguments: [ShoeChoice.optionalArgument], examples: ["shoes start", "shoes start speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.switchShoes { .start($0) }
    }
}

/// `healthsync shoes stop`
enum ShoesStopCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes stop", "End the current session now", examples: ["shoes stop"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.switchShoes { _ in .stop }
    }
}

/// `healthsync shoes toggle`
enum ShoesToggleCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes toggle", "End the current session of a pair of shoes, or start one",
        discussion: ["Without SHOE ends any current session, or starts one of the default shoes."],
        arguments: [ShoeChoice.optionalArgument], examples: ["shoes toggle", "shoes toggle speedcross 6"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await context.switchShoes { .toggle($0) }
    }
}

extension CommandContext {
    /// Starts or ends a session, and shows the change.
    fileprivate func switchShoes(_ action: (Shoe.ID?) -> ShoeAction<ShoeSwitch>) async throws -> ExitStatus {
        let settings = try await localSettings()
        let view = try await withEngine(.writing, settings: settings) { engine in
            let change = try await engine.shoes.run(action(try await namedShoe(engine)?.id))
            return ShoeSwitchView(
                change: change, names: ShoeNames(try await engine.shoes.all()), clock: settings.clock)
        }
        show(text: view.lines, json: view.json)
        return .done
    }
}

/// The sessions that a command started and ended.
private struct ShoeSwitchView {
    let change: ShoeSwitch
    let names: ShoeNames
    let clock: DayClock

    var lines: [String] {
        let stopped = change.stopped.map { "ended: \(view($0).line)" }
        let started = change.started.map { "started: \(view($0).line)" }
        return [stopped, started].compactMap { $0 }
    }

    var json: JSONValue {
        [
            "started": change.started.map { view($0).json } ?? .null,
            "stopped": change.stopped.map { view($0).json } ?? .null,
        ]
    }

    private func view(_ session: ShoeSession) -> ShoeSessionView {
        ShoeSessionView(session: session, names: names, clock: clock)
    }
}

/// `healthsync shoes assign`
enum ShoesAssignCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes assign", "Assign hours of a day to a pair of shoes",
        discussion: HourOptions.discussion + [
            "Sessions of other shoes are shortened or split to exclude these hours."
        ],
        arguments: [ShoeChoice.argument], options: HourOptions.options,
        examples: ["shoes assign speedcross 6 --day yesterday --hours 8-11,17"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let (day, hours) = try HourOptions.values(context.parsed, today: today)
        let view = try await context.withEngine(.writing, settings: settings) { engine in
            let shoes = try await engine.shoes.all()
            let shoe = try ShoeChoice.shoe(context.parsed.arguments, among: shoes)
            return HourAttributionView(
                result: try await engine.shoes.run(.assign(hours, on: day, to: shoe.id)), shoe: shoe.id,
                names: ShoeNames(shoes), clock: settings.clock)
        }
        context.show(text: view.lines, json: view.json)
        return .done
    }
}

/// `healthsync shoes unassign`
enum ShoesUnassignCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes unassign", "Remove hours of a day from all sessions",
        discussion: HourOptions.discussion, options: HourOptions.options,
        examples: ["shoes unassign --day 2024-10-27 --hours 2a"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let (day, hours) = try HourOptions.values(context.parsed, today: today)
        let view = try await context.withEngine(.writing, settings: settings) { engine in
            HourAttributionView(
                result: try await engine.shoes.run(.unassign(hours, on: day)), shoe: nil,
                names: ShoeNames(try await engine.shoes.all()), clock: settings.clock)
        }
        context.show(text: view.lines, json: view.json)
        return .done
    }
}

/// The options of `assign` and `unassign` that select hours.
private enum HourOptions {
    static let options: [OptionDeclaration] = [
        .value("day", "DAY", DayText.advice),
        .value("hours", "HOURS", "Select these hours and ranges, separated by commas, such as 8-11,17"),
    ]
    static let discussion = [
        "8-11,17 selects five hours: 8, 9, 10, 11 and 17. When clocks go back, the repeated hour is named 2a and 2b; "
            + "`journal DAY` shows the names. The current hour ends now."
    ]

    /// Returns day and hours. Both options are required, so that no hours are overwritten by accident.
    static func values(
        _ parsed: ParsedCommand, today: CalendarDay
    ) throws(SyncFailure) -> (day: CalendarDay, hours: String) {
        guard let day = parsed.text("day"), let hours = parsed.text("hours") else {
            throw .usage(
                parsed.path.joined(separator: " "), "requires --day and --hours",
                advice: "for example --day today --hours 8-11,17")
        }
        return (try DayText.day(day, today: today), hours)
    }
}

/// The result of assigning hours to a shoe.
private struct HourAttributionView: JSONEncodable {
    let result: HourAttribution
    /// The shoe of these hours; `nil` for none.
    let shoe: Shoe.ID?
    let names: ShoeNames
    let clock: DayClock

    var lines: [String] {
        let ranges = result.ranges.map { ShoeSessionView.text(of: $0, clock) }
        return ["\(shoe.map(names.label) ?? "no shoe"): \(ranges.joined(separator: ", "))"]
            + taken.map { "taken from \(names.label($0.key)): \(DurationText.minutes(milliseconds: Double($0.value)))" }
    }

    var json: JSONValue {
        .joined(
            shoe.map(names.members) ?? ["shoe": JSONValue.null],
            [
                "ranges": result.ranges.map { JSONValue.range($0.start, $0.end, clock) },
                "taken": taken.map { id, lost in
                    JSONValue.joined(names.members(id), ["minutes": JSONValue.minutes(lost)])
                },
            ])
    }

    private var taken: [(key: Shoe.ID, value: Int64)] {
        result.taken.sorted { ShoeNames.text($0.key) < ShoeNames.text($1.key) }
    }
}

/// `healthsync shoes check`
enum ShoesCheckCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes check", "Start and end automatic sessions from the stored steps",
        discussion: [
            "The first steps of a day start a session of the default shoes. It ends at the last step before "
                + "shoes.inactivityHours without steps. Every `daily` does this too. Sessions that you entered do not change."
        ],
        options: [
            .value("days", "N", "Check this many days before today", default: "lookBackDays of the configuration, or 7")
        ], examples: ["shoes check", "shoes check --days 30"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let view = try await context.withEngine(.writing, settings: settings) { engine in
            ShoeCheckView(
                report: try await engine.shoes.check(lookBackDays: settings.lookBackDays),
                names: ShoeNames(try await engine.shoes.all()), clock: settings.clock)
        }
        context.show(text: view.lines.isEmpty ? ["nothing to change"] : view.lines, json: view.json)
        return .done
    }
}
