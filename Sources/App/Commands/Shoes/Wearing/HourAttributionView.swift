import HealthSyncDomain

/// The result of assigning hours to a shoe.
struct HourAttributionView: JSONEncodable {
    let result: HourAttribution
    /// The shoe of these hours; `nil` for none.
    let shoe: Shoe.ID?
    let names: ShoeNames
    let clock: DayClock

    var lines: [String] {
        let ranges = result.ranges.map { ShoeSessionView.text(of: $0, clock) }
        return ["\(shoe.map(names.label) ?? "no shoe"): \(ranges.joined(separator: ", "))"]
            + taken.map { "taken from \(names.label($0.key)): \(DurationText.minutes(milliseconds: Double($0.value)))" }
    }

    var json: JSONValue {
        .joined(
            shoe.map(names.members) ?? ["shoe": JSONValue.null],
            [
                "ranges": result.ranges.map { JSONValue.range($0.start, $0.end, clock) },
                "taken": taken.map { id, lost in
                    JSONValue.joined(names.members(id), ["minutes": JSONValue.minutes(lost)])
                },
            ])
    }

    private var taken: [(key: Shoe.ID, value: Int64)] {
        result.taken.sorted { ShoeNames.text($0.key) < ShoeNames.text($1.key) }
    }
}
