import HealthSyncDomain

/// The entries of one metric's day, for `POST /api/v1/progress`: the day first, then its hours.
struct ProgressEncoding {
    private let progress: DailyProgress
    private let day: String

    init(_ progress: DailyProgress) {
        self.progress = progress
        day = progress.day.description
    }

    /// Returns the entries, joined by commas.
    func payload(revision: Int) -> [UInt8] {
        var writer = JSONBytes(reserving: 240 * (progress.hours.count + 1))
        let ids = progress.entryIDs
        let afterCount = fragment { writer in
            writer.raw("\"day\":")
            writer.string(day)
            writer.raw(",\"granularity\":\"")
        }
        let afterQuantity = fragment { writer in
            writer.raw(",\"revision\":")
            writer.number(Int64(revision))
            writer.raw(",\"source_id\":")
        }
        let afterStart = fragment { writer in
            writer.raw("\",\"type\":")
            writer.string(progress.metric.rawValue)
            writer.raw(",\"unit\":")
            writer.string(progress.unit)
            writer.raw("}")
        }
        func write(_ figures: ProgressFigures, _ granularity: StaticString, id: String, start: [UInt8]) {
            writer.raw("{")
            if let count = figures.count {
                writer.raw("\"count\":")
                writer.number(Int64(count))
                writer.raw(",")
            }
            writer.raw(afterCount)
            writer.raw(granularity)
            Self.write(figures, to: &writer)
            writer.raw(afterQuantity)
            writer.string(id)
            writer.raw(",\"start\":\"")
            writer.raw(start)
            writer.raw(afterStart)
        }
        write(progress.figures, "day\"", id: ids[0], start: Self.dateTime(progress.start))
        for (hour, id) in zip(progress.hours, ids.dropFirst()) {
            writer.raw(",")
            write(hour.figures, "hour\"", id: id, start: Self.dateTime(hour.start))
        }
        return writer.bytes
    }

    /// Writes the members that were measured.
    private static func write(_ figures: ProgressFigures, to writer: inout JSONBytes) {
        if let held = figures.heldMilliseconds {
            writer.raw(",\"held_ms\":")
            writer.number(held)
        }
        if let maximum = figures.maximum {
            writer.raw(",\"max\":")
            writer.number(maximum)
        }
        if let minimum = figures.minimum {
            writer.raw(",\"min\":")
            writer.number(minimum)
        }
        writer.raw(",\"quantity\":")
        writer.number(figures.quantity)
    }

    private static func dateTime(_ instant: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        RFC3339.append(instant, to: &bytes)
        return bytes
    }

    private func fragment(_ write: (inout JSONBytes) -> Void) -> [UInt8] {
        var writer = JSONBytes(reserving: 64)
        write(&writer)
        return writer.bytes
    }
}
