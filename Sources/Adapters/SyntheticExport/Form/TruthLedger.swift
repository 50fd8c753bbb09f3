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

/// The true values of one day; `nil` for values that nothing measured.
struct TruthFigures: Sendable {
    var steps = 0.0
    var kilometres = 0.0
    var activeEnergy: Double?
    var exerciseMinutes: Double?
    var restingHeartRate: Int64?
    var heartRate: TruthHeartRate?
    var standHours: Int64 = 0
}

/// The heart rates of one day, in thousandths of a beat per minute until printed.
struct TruthHeartRate: Sendable, Encodable {
    private var lowest: Int64
    private var highest: Int64
    private var sum: Int64
    private var count: Int64

    init(first value: Int64) {
        lowest = value
        highest = value
        sum = value
        count = 1
    }

    mutating func add(_ value: Int64) {
        lowest = min(lowest, value)
        highest = max(highest, value)
        sum += value
        count += 1
    }

    private enum CodingKeys: String, CodingKey {
        case min, mean, max, count
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Double(lowest) / 1000, forKey: .min)
        try container.encode(Double(highest) / 1000, forKey: .max)
        try container.encode(Double(sum) / Double(count) / 1000, forKey: .mean)
        try container.encode(count, forKey: .count)
    }
}

/// The number of records of a type from one source.
struct TruthRecordCount: Sendable, Encodable {
    let type: String
    let source: String
    /// All records, including duplicates.
    private(set) var count: Int
    /// The records that exactly repeat another.
    private(set) var duplicates: Int

    init(type: String, source: String, count: Int, duplicates: Int) {
        self.type = type
        self.source = source
        self.count = count
        self.duplicates = duplicates
    }

    mutating func add(isTwice: Bool) {
        count += isTwice ? 2 : 1
        duplicates += isTwice ? 1 : 0
    }
}
