import HealthSyncDomain

/// Instants as the viewer's wall clock shows them.
struct WallClock: Sendable {
    /// The zone of the viewer's days.
    let days: DayClock
    let form: ClockForm
    /// The session whose times are shown, if any: it may have been recorded in another zone.
    var sleeper: SleepEpisode?

    /// Returns the wall clock where `session` was recorded.
    func of(_ session: SleepEpisode) -> WallClock { WallClock(days: days, form: form, sleeper: session) }

    /// Returns the seconds east of UTC on this clock at `instant`.
    func offsetSeconds(at instant: Instant) -> Int64 {
        sleeper?.offsetSeconds(at: instant, by: days) ?? days.offsetSeconds(at: instant)
    }

    /// Returns hour and minute.
    func text(_ instant: Instant) -> String { form.text(time(in: shown(instant))) }

    /// Returns the hour alone.
    func hour(_ instant: Instant) -> String { form.hour(time(in: shown(instant))) }

    /// Returns hour and minute as an element, or `text` in their place.
    func time(_ instant: Instant, text: String? = nil) -> Markup {
        .tag("time", [.init("datetime", shown(instant))], .text(text ?? self.text(instant)))
    }

    /// Returns hour and minute, with the date if it is not `day`.
    func time(_ instant: Instant, on day: CalendarDay) -> Markup {
        shown(instant).hasPrefix("\(day)") ? time(instant) : moment(instant)
    }

    /// Returns day, hour and minute, on two lines if there is little space: `15 Jan 2024 14:05`.
    func moment(_ instant: Instant) -> Markup {
        let day = Markup.tag("span", [.class("whole")], .text(date(instant)))
        let clock = Markup.tag("span", [.class("whole")], .text(text(instant)))
        return .tag("time", [.class("moment"), .init("datetime", shown(instant))], day + " " + clock)
    }

    /// Returns day, hour and minute as plain text.
    func momentText(_ instant: Instant) -> String { date(instant) + " " + text(instant) }

    private func date(_ instant: Instant) -> String {
        let date = shown(instant).prefix { $0 != "T" }
        return CalendarDay(date)?.dateInWords ?? String(date)
    }

    /// Returns the starts of the hours of a day; hours that occur twice have their offset.
    func hours(_ starts: [Instant]) -> [String] {
        ClockTimes.of(starts.map { ($0, offsetSeconds(at: $0)) }, write: form.text)
    }

    /// Returns hour and minute of a text like `2024-01-15T08:00:00+01:00`.
    private func time(in shown: String) -> Substring { shown.drop { $0 != "T" }.dropFirst().prefix(5) }

    private func shown(_ instant: Instant) -> String {
        RFC3339.string(instant, offsetSeconds: offsetSeconds(at: instant))
    }
}

/// The 12-hour or 24-hour clock.
enum ClockForm: Sendable {
    case hours12
    case hours24

    /// The languages that use 12 hours, and regions of languages that otherwise use 24. English without a region uses 24.
    private static let by12: Set<String> = [
        "en-us", "en-ca", "en-au", "en-nz", "en-in", "en-ph", "en-my", "en-sg", "en-pk", "en-hk", "en-jm",
        "en-tt", "es-ar", "es-cl", "es-co", "es-mx", "es-pe", "es-pr", "es-us", "es-ve", "zh-hk", "zh-tw",
        "am", "ar", "bn", "el", "fil", "gu", "hi", "km", "kn", "ko", "lo", "ml", "mr", "ms", "my", "ne",
        "pa", "si", "so", "sq", "ta", "te", "ur",
    ]

    /// Creates the clock of the preferred language in an `Accept-Language` header; 24 hours without one.
    init(language: String) {
        let tag = AcceptedLanguages.tags(language).first ?? ""
        let isBy12 = Self.by12.contains(tag) || Self.by12.contains(String(tag.prefix { $0 != "-" }))
        self = isBy12 ? .hours12 : .hours24
    }

    /// Returns `14:05` unchanged, or as `2:05 PM`.
    func text(_ time: Substring) -> String {
        guard self == .hours12, let hour = Int(time.prefix(2)) else { return String(time) }
        return "\((hour + 11) % 12 + 1)\(time.dropFirst(2)) \(hour < 12 ? "AM" : "PM")"
    }

    /// Returns the hour of `14:05` alone: `14` or `2 PM`.
    func hour(_ time: Substring) -> String {
        guard self == .hours12, let hour = Int(time.prefix(2)) else { return String(time.prefix(2)) }
        return "\((hour + 11) % 12 + 1) \(hour < 12 ? "AM" : "PM")"
    }
}
