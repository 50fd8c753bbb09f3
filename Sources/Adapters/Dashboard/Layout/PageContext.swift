import HealthSyncDomain
import HealthSyncPorts

/// The request, the records and the viewer's formats.
struct PageContext: Sendable {
    let request: WebRequest
    let repository: any HealthRepository
    /// The zone of the viewer's days.
    let clock: DayClock
    let clockForm: ClockForm
    let now: Instant
    /// The first and last day with records; `nil` without any.
    let recorded: DayRange?
    /// The reason why a form of this page was rejected; `nil` if none was.
    let problem: FormProblem?

    /// The viewer's number format.
    let numbers: NumberForm

    init(
        request: WebRequest, repository: any HealthRepository, clock: DayClock, clockForm: ClockForm, now: Instant,
        recorded: DayRange?, problem: FormProblem? = nil
    ) {
        self.problem = problem
        self.request = request
        self.repository = repository
        self.clock = clock
        self.clockForm = clockForm
        self.now = now
        self.recorded = recorded
        numbers = NumberForm(language: request.language)
    }

    var today: CalendarDay { clock.day(of: now) }
    var wallClock: WallClock { WallClock(days: clock, form: clockForm) }

    /// Returns hour and minute on the viewer's wall clock.
    func time(_ instant: Instant) -> Markup { wallClock.time(instant) }

    /// Returns hour and minute on the viewer's wall clock, as plain text.
    func clockTime(_ instant: Instant) -> String { wallClock.text(instant) }

    /// Returns day, hour and minute on the viewer's wall clock.
    func moment(_ instant: Instant) -> Markup { wallClock.moment(instant) }

    /// Returns day, hour and minute on the viewer's wall clock, as plain text.
    func momentText(_ instant: Instant) -> String { wallClock.momentText(instant) }

    /// Returns the input in the field `name` of a rejected form; `nil` if no form was rejected or it has no such field.
    func typed(_ name: String) -> String? { problem == nil ? nil : request.fields(name).first }

    /// Returns whether a checkbox or option is selected: as in the rejected form, otherwise `usual`.
    func isChosen(_ name: String, _ value: String, usual: Bool) -> Bool {
        guard problem != nil, !request.form.isEmpty else { return usual }
        return request.fields(name).contains(value)
    }

    /// Returns the query parameter `day`; `nil` if it is missing or empty. Throws `.usage` for an invalid date.
    func day() throws(SyncFailure) -> CalendarDay? {
        guard let text = request.parameter("day"), !text.isEmpty else { return nil }
        guard let day = CalendarDay(text) else {
            throw Self.invalid("day", text, "is not a valid date", advice: "write it as YYYY-MM-DD")
        }
        return day
    }

    /// Returns the day of the page: the parameter `day`, else `latest`, else today.
    func day(latest: CalendarDay?) throws(SyncFailure) -> CalendarDay { try day() ?? latest ?? today }

    /// Returns the days with complete figures of a metric whose latest day is `latest`: from the first record on, up to
    /// yesterday, or for nights, which are over in the morning, up to today.
    func completeDays(latest: CalendarDay?, ofNights: Bool = false) -> DayRange? {
        let last = ofNights ? today : today.advanced(by: -1)
        return recorded.flatMap { DayRange($0.first, through: min(latest ?? last, last)) }
    }

    /// Returns the quantities of `metric` on all recorded days up to today, ascending; of one that adds up without today,
    /// whose sum is incomplete, if there are other days.
    func allQuantities(of metric: HealthMetric, isSum: Bool = false) async throws -> [DailyQuantity] {
        guard let days = recorded.flatMap({ DayRange($0.first, through: min($0.last, today)) }) else { return [] }
        let all = try await repository.dailyQuantities(of: metric, days: days)
        return isSum ? all.leavingOut(today, by: \.day) : all
    }

    /// Returns the parameter `name`, which must be one of `values`; `nil` if it is missing. Throws `.usage` otherwise.
    func choice(_ name: String, of values: [String]) throws(SyncFailure) -> String? {
        guard let text = request.parameter(name) else { return nil }
        guard values.contains(text) else {
            throw Self.invalid(
                name, text, "is not a valid value", advice: "use one of \(values.joined(separator: ", "))")
        }
        return text
    }

    /// Returns the parameter `by`, else `usual`.
    func period(usual: PeriodView) throws(SyncFailure) -> PeriodView {
        try choice("by", of: PeriodView.allCases.map(\.rawValue)).flatMap { PeriodView(rawValue: $0) } ?? usual
    }

    /// Returns the parameter `page`, counted from 1. Throws `.usage` for anything else.
    func pageNumber() throws(SyncFailure) -> Int {
        guard let text = request.parameter("page") else { return 1 }
        guard let number = Int(text), number > 0 else {
            throw Self.invalid("page", text, "is not a page number", advice: "use 1 or more")
        }
        return number
    }

    private static func invalid(_ name: String, _ text: String, _ what: String, advice: String) -> SyncFailure {
        let shown = text.shortened(to: 40)
        return SyncFailure(.usage, subject: name, reason: "\"\(shown)\" \(what)", advice: advice)
    }
}
