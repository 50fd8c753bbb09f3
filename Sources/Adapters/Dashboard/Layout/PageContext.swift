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

    /// Hour and minute on the viewer's wall clock.
    func time(_ instant: Instant) -> Markup { wallClock.time(instant) }

    /// The same as plain text.
    func clockTime(_ instant: Instant) -> String { wallClock.text(instant) }

    /// Day, hour and minute on the viewer's wall clock.
    func moment(_ instant: Instant) -> Markup { wallClock.moment(instant) }

    /// The input in the field `name` of a rejected form; `nil` if no form was rejected or it has no such field.
    func typed(_ name: String) -> String? { problem == nil ? nil : request.fields(name).first }

    /// Whether a checkbox or option is selected: as in the rejected form, otherwise `usual`.
    func isChosen(_ name: String, _ value: String, usual: Bool) -> Bool {
        guard problem != nil, !request.form.isEmpty else { return usual }
        return request.fields(name).contains(value)
    }

    /// The parameter `day`; `nil` if it is missing or empty.
    func day() throws(SyncFailure) -> CalendarDay? {
        guard let text = request.parameter("day"), !text.isEmpty else { return nil }
        guard let day = CalendarDay(text) else {
            throw Self.refused("day", text, "is not a day of the calendar", advice: "write it as YYYY-MM-DD")
        }
        return day
    }

    /// The day of the page: the parameter `day`, else `latest`, else today.
    func day(latest: CalendarDay?) throws(SyncFailure) -> CalendarDay { try day() ?? latest ?? today }

    /// The parameter `name`, which must be one of `values`; `nil` if it is missing.
    func choice(_ name: String, of values: [String]) throws(SyncFailure) -> String? {
        guard let text = request.parameter(name) else { return nil }
        guard values.contains(text) else {
            throw Self.refused(
                name, text, "is not known here", advice: "give one of \(values.joined(separator: ", "))")
        }
        return text
    }

    /// The parameter `by`, else `usual`.
    func period(usual: PeriodView) throws(SyncFailure) -> PeriodView {
        try choice("by", of: PeriodView.allCases.map(\.rawValue)).flatMap { PeriodView(rawValue: $0) } ?? usual
    }

    /// The parameter `page`, counted from 1.
    func pageNumber() throws(SyncFailure) -> Int {
        guard let text = request.parameter("page") else { return 1 }
        guard let number = Int(text), number > 0 else {
            throw Self.refused("page", text, "is not the number of a page", advice: "give 1 or more")
        }
        return number
    }

    private static func refused(_ name: String, _ text: String, _ what: String, advice: String) -> SyncFailure {
        let shown = text.count <= 40 ? text : text.prefix(40) + "…"
        return SyncFailure(.usage, subject: name, reason: "\"\(shown)\" \(what)", advice: advice)
    }
}
