import HealthSyncDomain

/// The true values of every day, accumulated while records are written: some hundred bytes per day.
struct TruthLedger: Sendable {
    let timeline: Timeline
    private(set) var figures: [TruthFigures]

    init(timeline: Timeline) {
        self.timeline = timeline
        figures = Array(repeating: TruthFigures(), count: timeline.days.count)
    }

    func figures(of day: CalendarDay) -> TruthFigures { figures[timeline.index(of: day)] }

    mutating func change(_ day: CalendarDay, _ body: (inout TruthFigures) -> Void) {
        body(&figures[timeline.index(of: day)])
    }

    /// Distributes a quantity that is even over `span`, which starts on `day`, to the days it covers.
    mutating func spread(
        over span: Span, from day: CalendarDay, _ body: (inout TruthFigures, _ share: Double) -> Void
    ) {
        let dayEnd = timeline.span(of: day).end
        guard span.end > dayEnd, day < timeline.days.last else { return change(day) { body(&$0, 1) } }
        let share = Double(max(0, dayEnd - span.start)) / Double(span.seconds)
        change(day) { body(&$0, share) }
        change(day.advanced(by: 1)) { body(&$0, 1 - share) }
    }
}
