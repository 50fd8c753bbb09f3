import HealthSyncDomain
import HealthSyncPorts

/// A batch builder that stops when the reading is cancelled.
struct SampleDelivery {
    typealias Receiver = SampleBatchBuilder.Receiver
    typealias Sample = SampleBatchBuilder.Sample

    private var builder: SampleBatchBuilder
    private let cancellation: CancellationFlag

    init(cancellation: CancellationFlag, receive: @escaping Receiver) {
        self.cancellation = cancellation
        builder = SampleBatchBuilder { batch in
            try cancellation.check()
            try receive(batch)
        }
    }

    var zoneProblem: String? { builder.zoneProblem }

    mutating func add(_ sample: Sample) throws { try builder.add(sample) }

    mutating func begin(statement: Int?) throws { try builder.begin(statement: statement) }

    mutating func flush() throws {
        try cancellation.check()
        try builder.flush()
    }
}

/// Collects the UTC offsets in dates of a feed, one for each local day.
struct OffsetNotes {
    private var lastDay: Substring = ""
    private var byDay: [CalendarDay: StatedOffset] = [:]

    /// Records the offset of a date, which begins with its day. `read` returns what the date states; `nil` without an offset.
    mutating func note(_ text: String?, _ read: (String) -> StatedOffset?) {
        guard let text, text.prefix(10) != lastDay, let offset = read(text) else { return }
        lastDay = text.prefix(10)
        let day = CalendarDay(utcDayOf: offset.instant.advanced(bySeconds: offset.seconds))
        if byDay[day] == nil { byDay[day] = offset }
    }

    /// The offsets by instant; of consecutive equal offsets only the first and the last.
    var ends: [StatedOffset] { StatedOffset.ends(of: Array(byDay.values)) }
}
