import HealthSyncDomain

/// The days that a command line selects, and the length of the periods in which they are shown.
struct ShownDays {
    let days: DayRange
    let grain: Grain
    /// Whether the user stated the first day or a length.
    private let isStartStated: Bool

    /// The length of a period: an hour, or a day or longer.
    enum Grain: Equatable {
        case hour
        case period(CalendarPeriod.Unit)

        /// The value of `--by`.
        var word: String {
            switch self {
            case .hour: "hour"
            case .period(let unit): unit.rawValue
            }
        }

        /// The unit of weeks, months and years; `nil` for hours and days.
        var longUnit: CalendarPeriod.Unit? {
            guard case .period(let unit) = self, unit != .day else { return nil }
            return unit
        }

        static let all = [Grain.hour] + CalendarPeriod.Unit.allCases.map(Grain.period)
    }

    static let dayArgument = ArgumentDeclaration("DAY", DayText.advice, isOptional: true)
    static let daysArgument = ArgumentDeclaration("DAY", DayText.periodAdvice, isOptional: true)
    static let rangeOptions: [OptionDeclaration] = [
        .value(
            "last", "LENGTH",
            "Show this length of time up to --to: a number with d, w, mo or y, such as 30d or 3mo, "
                + "or week, month, year",
            default: "7d; 12 weeks, 12 months or 10 years with --by"),
        .value("from", "DAY", "Start with this day, YYYY-MM-DD"),
        .value("to", "DAY", "End with this day, YYYY-MM-DD", default: "today"),
    ]
    static let grainOption = OptionDeclaration.value(
        "by", "PERIOD", "Show hours, days, weeks (from Monday), months or years: hour, day, week, month, year",
        default: "day; hour for a single DAY, month for a year")
    /// The options of commands that show one metric by periods.
    static let seriesOptions = [grainOption, .flag("origins", "Show the figures of each source alone")]

    /// Creates the selection of `parsed`, whose argument at `index` is the optional day. The default is the last seven
    /// days, or for longer periods the twelve weeks, twelve months or ten years, up to `--to`.
    init(_ parsed: ParsedCommand, dayAt index: Int = 0, today: CalendarDay) throws(SyncFailure) {
        let day = parsed.arguments.dropFirst(index).first
        isStartStated = parsed.has("from") || parsed.has("last")
        let named = try Self.named(parsed, day: day, today: today)
        grain = try Self.grain(parsed) ?? (day == nil ? .period(.day) : named.map(Self.usualGrain) ?? .hour)
        let last = try parsed.days(from: "from", to: "to").last ?? today
        days = named ?? Self.standard(grain, through: last)
    }

    /// Returns the selection without the years before the first and after the last recorded day, if the user stated where
    /// it begins. A mistyped year would otherwise show a row for each of millions of days.
    func limited(to recorded: DayRange?, today: CalendarDay) -> ShownDays {
        guard isStartStated, let recorded else { return self }
        let first = CalendarPeriod(.year, holding: recorded.first).days
        let last = CalendarPeriod(.year, holding: max(recorded.last, today)).days
        guard let years = DayRange(first.first, through: last.last), let days = days.intersection(years) else {
            return self
        }
        return ShownDays(days: days, grain: grain, isStartStated: true)
    }

    private init(days: DayRange, grain: Grain, isStartStated: Bool) {
        self.days = days
        self.grain = grain
        self.isStartStated = isStartStated
    }

    private static func grain(_ parsed: ParsedCommand) throws(SyncFailure) -> Grain? {
        guard let word = parsed.text("by") else { return nil }
        guard let grain = Grain.all.first(where: { $0.word == word }) else {
            throw .usage(
                "--by", "unknown period \"\(word)\"",
                advice: "use one of \(Grain.all.map(\.word).joined(separator: ", "))")
        }
        return grain
    }

    /// Returns the grain of a day, month or year that an argument names.
    private static func usualGrain(of days: DayRange) -> Grain {
        if days.count == 1 { return .hour }
        return .period(CalendarPeriod(.month, holding: days.first).days == days ? .day : .month)
    }

    private static func named(
        _ parsed: ParsedCommand, day text: String?, today: CalendarDay
    ) throws(SyncFailure) -> DayRange? {
        let (from, to) = try parsed.days(from: "from", to: "to")
        let lookBack = try lookBack(parsed)
        if let text {
            let days = try DayText.days(text, today: today)
            for option in ["last", "from", "to"] where parsed.has(option) {
                throw .usage(
                    "--\(option)", "cannot be combined with \(days.count == 1 ? "the day \(days.first)" : "\(text)")",
                    advice: "use one of them")
            }
            return days
        }
        if let lookBack {
            guard from == nil else {
                throw .usage(
                    "--last", "cannot be combined with --from", advice: "use one of them; --to works with either")
            }
            return lookBack.days(through: to ?? today)
        }
        guard let from else { return nil }
        return DayRange(from, through: to ?? max(from, today))
    }

    private static func lookBack(_ parsed: ParsedCommand) throws(SyncFailure) -> LookBack? {
        guard let text = parsed.text("last") else { return nil }
        guard let lookBack = LookBack(text) else {
            throw .usage(
                "--last", "invalid length \"\(text)\"",
                advice: "use a whole number with d, w, mo or y, such as 7d, 3mo or 1y, of at most a hundred years")
        }
        return lookBack
    }

    private static func standard(_ grain: Grain, through last: CalendarDay) -> DayRange {
        let week = DayRange(last).widened(before: 6, after: 0)
        guard case .period(let unit) = grain, unit != .day else { return week }
        let first =
            switch unit {
            case .day: week.first
            case .week: last.advanced(by: -7 * 11)
            case .month: last.advanced(byMonths: -11)
            case .year: last.advanced(byMonths: -12 * 9)
            }
        return DayRange(CalendarPeriod(unit, holding: first).days.first, through: last) ?? week
    }
}

extension JSONValue {
    /// Returns the members of every period: `period`, its `first` and `last` selected day, and `recordedDays`.
    static func period(_ period: CalendarPeriod, days: DayRange, recordedDays: Int) -> JSONValue {
        [
            "period": "\(period)",
            "first": days.first,
            "last": days.last,
            "recordedDays": recordedDays,
        ]
    }

    /// Returns the periods of the length of `grain`, each with `members`; by hour these are days, each with `hours`.
    static func periods<Period>(
        by grain: ShownDays.Grain, _ periods: (CalendarPeriod.Unit) -> [Period], members: (Period) -> JSONValue,
        hours: (Period) -> [JSONValue]
    ) -> [JSONValue] {
        switch grain {
        case .period(let unit): periods(unit).map(members)
        case .hour: periods(.day).map { .joined(members($0), ["hours": hours($0)]) }
        }
    }

    /// Returns the start of an hour in RFC 3339, in the user's local time.
    static func hour(_ slot: HourSlot) -> String {
        RFC3339.string(slot.interval.start, offsetSeconds: slot.offsetSeconds)
    }
}

/// Days in command lines and in text output.
enum DayText {
    /// The help for an argument that is a day.
    static let advice = "A day, YYYY-MM-DD, or \"today\" or \"yesterday\""

    /// Returns the day that `text` names. Throws `.usage` for an invalid date.
    static func day(_ text: String, today: CalendarDay) throws(SyncFailure) -> CalendarDay {
        switch text {
        case "today": return today
        case "yesterday": return today.advanced(by: -1)
        default:
            guard let day = CalendarDay(text) else {
                throw .usage(
                    "DAY", "invalid date \"\(text)\"",
                    advice: "write a calendar day as YYYY-MM-DD, or \"today\" or \"yesterday\"")
            }
            return day
        }
    }

    /// The help for an argument that is a day or a period of the calendar.
    fileprivate static let periodAdvice =
        "A day, YYYY-MM-DD, \"today\" or \"yesterday\", a month, YYYY-MM, or a year, YYYY"

    /// Returns the days that `text` names: one, or those of a month or year. Throws `.usage` for anything else.
    static func days(_ text: String, today: CalendarDay) throws(SyncFailure) -> DayRange {
        if let day = try? day(text, today: today) { return DayRange(day) }
        for (unit, rest) in [(CalendarPeriod.Unit.month, "-01"), (.year, "-01-01")] {
            if let first = CalendarDay(text + rest) { return CalendarPeriod(unit, holding: first).days }
        }
        throw .usage(
            "DAY", "invalid date \"\(text)\"",
            advice:
                "write a day as YYYY-MM-DD, a month as YYYY-MM or a year as YYYY; --last month shows a month up to today"
        )
    }

    /// Returns a label: `Mon 2024-01-15`, `2024-W03`, `2024-01` or `2024`.
    static func label(_ period: CalendarPeriod) -> String {
        period.unit == .day ? period.days.first.nameAndDate : "\(period)"
    }

    /// Returns `2024-01-15`, or `2024-01-09 to 2024-01-15`.
    static func range(_ days: DayRange) -> String {
        days.count == 1 ? days.first.nameAndDate : "\(days.first) to \(days.last)"
    }

    /// Returns the message that nothing is recorded on `days`, with the latest day that has records, or else with the
    /// `remedy`.
    static func nothing(_ what: String, on days: DayRange, latest: CalendarDay?, remedy: String? = nil) -> String {
        guard let latest else { return "\(what): nothing recorded yet" + (remedy.map { "; \($0)" } ?? "") }
        let known = "the latest day with records is \(latest)"
        guard days.count > 1 else { return "\(what): nothing recorded on \(days.first); \(known)" }
        // A month or year that was named has no end to choose.
        let isNamed = [CalendarPeriod.Unit.month, .year].contains {
            CalendarPeriod($0, holding: days.first).days == days
        }
        return "\(what): nothing recorded from \(days.first) to \(days.last); \(known)"
            + (isNamed ? "" : " (--to \(latest))")
    }
}
