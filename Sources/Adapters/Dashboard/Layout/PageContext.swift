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

    /// The viewer's marks of numbers.
    let numbers: NumberForm

    init(
        request: WebRequest, repository: any HealthRepository, clock: DayClock, clockForm: ClockForm, now: Instant,
        recorded: DayRange?
    ) {
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

    /// The parameter `name` as a day; what is no day counts as not given.
    func day(_ name: String) -> CalendarDay? { request.parameter(name).flatMap { CalendarDay($0) } }

    /// The day that a page is about: the one asked for, else `latest`, else today.
    func day(latest: CalendarDay?) -> CalendarDay { day("day") ?? latest ?? today }
}
