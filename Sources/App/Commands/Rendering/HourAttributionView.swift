import HealthSyncDomain

/// The result of assigning hours to a shoe.
struct HourAttributionView {
    let result: HourAttribution
    /// The shoe of these hours; `nil` for none.
    let shoe: Shoe.ID?
    let names: ShoeNames
    let clock: DayClock

    var lines: [String] {
        let ranges = result.ranges.map { ShoeSessionView.text(of: $0, clock) }
        return ["\(shoe.map(names.label) ?? "no shoe"): \(ranges.joined(separator: ", "))"]
            + taken.map { "taken from \(names.label($0.key)): \(Figures.duration(milliseconds: Double($0.value)))" }
    }

    var json: JSONValue {
        .object(
            (shoe.map(names.members) ?? [JSONValue.Member(name: "shoe", value: .null)]) + [
                JSONValue.Member(
                    name: "ranges", value: .array(result.ranges.map { .object(JSONValue.members($0, clock)) })),
                JSONValue.Member(
                    name: "taken",
                    value: .array(
                        taken.map { id, lost in
                            .object(names.members(id) + [JSONValue.Member(name: "minutes", value: .minutes(lost))])
                        })),
            ])
    }

    private var taken: [(key: Shoe.ID, value: Int64)] {
        result.taken.sorted { ShoeNames.text($0.key) < ShoeNames.text($1.key) }
    }
}
