/// The days that a run derives.
public enum RunScope: Sendable, Hashable {
    /// Every day whose samples, zone or rules changed; with a bound only today and `lookBackDays` days before it.
    case daily(lookBackDays: Int? = nil)
    /// From a first to a last day, both included; without a bound, as far as there are samples.
    case historical(from: CalendarDay? = nil, to: CalendarDay? = nil)
}
