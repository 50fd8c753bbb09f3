import HealthSyncDomain

/// Stays in other zones that records state and the configuration does not.
struct ProposedStays {
    /// Ordered by first day.
    let stays: [DayZones.Stay]

    /// The number of stays: `3 stays in other time zones`.
    var count: String { "\(CountText.of(stays.count, "stay", number: Figures.grouped)) in other time zones" }

    /// The value of `timeZones` in the configuration.
    var json: JSONValue {
        .array(stays.map { ["from": "\($0.firstDay)", "zone": $0.zone] })
    }

    /// The member of the configuration on one line, with spaces at which a terminal may break it:
    /// `"timeZones": [{ "from": "2023-07-01", "zone": "Asia/Tokyo" }]`
    var member: String {
        let entries = stays.map { stay in
            "{ \"from\": \"\(stay.firstDay)\", \"zone\": \(JSONText.line(.string(stay.zone))) }"
        }
        return "\"timeZones\": [\(entries.joined(separator: ", "))]"
    }
}
