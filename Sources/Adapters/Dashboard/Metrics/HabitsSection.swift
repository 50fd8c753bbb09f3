import HealthSyncDomain
import HealthSyncPorts

/// The weekday and the hour with the largest mean of a metric that adds up, of the last year. Reading the hours of all years
/// would take longer than the rest of the page.
struct HabitsSection {
    private let habits: MetricHabits
    private let days: DayRange
    private let figure: MetricFigure
    private let form: ClockForm

    private static let length = 365

    /// Reads the figures up to `last`; `nil` for a metric that does not add up, and without days.
    init?(of definition: MetricDefinition, through last: CalendarDay?, _ context: PageContext) async throws {
        guard definition.kind == .sum, let last else { return nil }
        days = DayRange(last).widened(before: Self.length - 1, after: 0)
        let progress = try await context.repository.figures(of: definition.metric, days: days, withHours: true)
        habits = MetricHabits(of: progress, clock: context.clock)
        figure = MetricFigure(definition: definition, numbers: context.numbers)
        form = context.clockForm
    }

    /// The section; nothing if all days are of one weekday, because the hours of one day are no habit.
    var markup: [Markup] {
        guard habits.weekday != nil else { return [] }
        return [
            .tag(
                "section", [.class("card"), .id("habits")],
                .tag("h2", [], "\(figure.definition.title), weekday and hour with the most"), FactList.markup(facts),
                .tag(
                    "p", [.class("quiet")], "Average a day, from ", Figure.day(days.first), " to ",
                    Figure.day(days.last), "."))
        ]
    }

    private var facts: [(name: String, value: Markup)] {
        var facts: [(name: String, value: Markup)] = []
        if let weekday = habits.weekday { facts.append((weekday.name, figure.fact(weekday.average))) }
        if let hour = habits.hour {
            let ends = [hour.hour, (hour.hour + 1) % 24].map { form.text("\(CalendarDay.padded($0, 2)):00") }
            facts.append(("\(ends[0]) to \(ends[1])", figure.fact(hour.average)))
        }
        return facts
    }
}
