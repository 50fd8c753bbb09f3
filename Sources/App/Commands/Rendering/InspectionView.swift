import HealthSyncDomain
import HealthSyncEngine

/// What is in a source.
struct InspectionView {
    let inspection: SourceInspection
    let clock: DayClock

    var lines: [String] {
        var table = TextTable(heads: [
            ("type", .left), ("unit", .left), ("count", .right), ("first", .left), ("last", .left), ("origin", .left),
        ])
        for row in inspection.rows {
            table.add(
                row.type.shortName, row.unit.isEmpty ? "-" : row.unit, Figures.grouped(row.count),
                Figures.wallClock(row.first, clock), Figures.wallClock(row.last, clock), Self.name(of: row.origin))
        }
        let reading = inspection.reading
        var lines = ["\(inspection.location) (\(inspection.provider), \(inspection.semantics.rawValue))"]
        if let date = reading.exportDate { lines.append("exported \(Figures.wallClock(date, clock))") }
        lines.append("\(Figures.count(reading.recordsRead, "record")) read")
        return lines + ReadingView(reading: reading).lines + (inspection.rows.isEmpty ? [] : [""] + table.lines())
    }

    var json: JSONValue {
        [
            "location": .string(inspection.location), "provider": .string(inspection.provider),
            "semantics": .string(inspection.semantics.rawValue),
            "types": .array(
                inspection.rows.map { row in
                    [
                        "type": .string(row.type.rawValue), "unit": .string(row.unit), "count": .count(row.count),
                        "first": .string(RFC3339.string(row.first)), "last": .string(RFC3339.string(row.last)),
                        "source": .string(row.origin.sourceName), "device": .string(row.origin.device),
                        "userEntered": .bool(row.origin.isUserEntered),
                        "preAggregated": .bool(row.origin.isPreAggregated),
                    ]
                }),
            "reading": ReadingView(reading: inspection.reading).json,
        ]
    }

    private static func name(of origin: SampleOrigin) -> String {
        let notes = [
            origin.isUserEntered ? "entered by hand" : nil, origin.isPreAggregated ? "aggregated" : nil,
        ].compactMap { $0 }
        return origin.sourceName + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}
