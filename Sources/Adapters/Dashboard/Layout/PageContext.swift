import HealthSyncDomain
import HealthSyncPorts

/// What a page is made with.
struct PageContext: Sendable {
    let request: WebRequest
    let repository: any HealthRepository
    /// Which instants make the viewer's days.
    let clock: DayClock
    let clockForm: ClockForm
    let now: Instant
    /// First and last day with records; `nil` while there are none.
    let recorded: DayRange?
    /// Why the form that was sent from this page changed nothing; `nil` where none was sent.
    let problem: FormProblem?

    /// The viewer's marks of numbers.
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

    /// What was typed into the field `name` of a form that is shown again; `nil` where none is, or it has no such field.
    func typed(_ name: String) -> String? { problem == nil ? nil : request.fields(name).first }

    /// Whether the box or choice of that value is to be marked: as it was sent, else as `usual`.
    func isChosen(_ name: String, _ value: String, usual: Bool) -> Bool {
        guard problem != nil, !request.form.isEmpty else { return usual }
        return request.fields(name).contains(value)
    }

    /// The parameter `name` as a day; what is no day counts as not given.
    func day(_ name: String) -> CalendarDay? { request.parameter(name).flatMap { CalendarDay($0) } }

    /// The day that a page is about: the one asked for, else `latest`, else today.
    func day(latest: CalendarDay?) -> CalendarDay { day("day") ?? latest ?? today }
}
