import HealthSyncDomain

/// The middle of sleep on workdays and weekends, and its spread.
struct RegularitySection {
    let regularity: SleepRegularity
    let form: ClockForm

    /// The section; `nil` with too few nights.
    var markup: Markup? {
        let facts = facts
        guard !facts.isEmpty else { return nil }
        return .tag(
            "section", [.class("card"), .id("regularity")], .tag("h2", [], "Regularity"), FactList.markup(facts),
            .tag(
                "p", [.class("quiet")],
                "The middle of sleep is halfway between its start and end; its spread is the standard deviation. Weekends are the nights to Saturday and Sunday."
            ))
    }

    private var facts: [(name: String, value: Markup)] {
        var facts: [(name: String, value: Markup)] = []
        if let middle = regularity.workdayMiddle { facts.append(("Middle on workdays", time(middle))) }
        if let middle = regularity.weekendMiddle { facts.append(("Middle on weekends", time(middle))) }
        if let workdays = regularity.workdayMiddle, let weekends = regularity.weekendMiddle {
            let difference = (weekends - workdays).rounded()
            let text = DurationText.minutes(difference.magnitude)
            let figure = Figure.number(difference.magnitude, text)
            facts.append(("Weekends", difference == 0 ? "the same" : figure + (difference > 0 ? " later" : " earlier")))
        }
        if let spread = regularity.spread {
            facts.append(("Spread", SleepFigure.duration(Int64(spread * 60_000))))
        }
        if let asleep = regularity.workdayAsleep {
            facts.append(("Asleep on workdays", SleepFigure.duration(Int64(asleep.rounded()))))
        }
        if let asleep = regularity.weekendAsleep {
            facts.append(("Asleep on weekends", SleepFigure.duration(Int64(asleep.rounded()))))
        }
        return facts
    }

    private func time(_ minutes: Double) -> Markup { Self.time(minutes, form) }

    /// Returns the time that is `minutes` after noon.
    static func time(_ minutes: Double, _ form: ClockForm) -> Markup {
        let text = clockText(minutes)
        return .tag("time", [.init("datetime", text)], .text(form.text(text[...])))
    }

    /// Returns `18:00 to 12:00`, or `12:00 to 18:00 of the next day`, for minutes after noon.
    static func hours(_ minutes: ClosedRange<Double>, _ form: ClockForm) -> Markup {
        time(minutes.lowerBound, form) + " to " + time(minutes.upperBound, form)
            + (minutes.upperBound - minutes.lowerBound > 1_440 ? " of the next day" : "")
    }

    /// Returns `02:45` for the time that is `minutes` after noon.
    static func clockText(_ minutes: Double) -> String {
        let minute = (Int(minutes.rounded()) + 720) % 1440
        return "\(CalendarDay.padded(minute / 60, 2)):\(CalendarDay.padded(minute % 60, 2))"
    }
}
