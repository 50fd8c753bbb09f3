import HealthSyncDomain

/// Stays in other zones that records state and the configuration does not.
struct ProposedStays {
    /// Ordered by first day.
    let stays: [DayZones.Stay]

    /// The zones that the configuration states.
    let known: DayZones

    /// How many there are: `3 stays in other time zones`.
    var count: String { known.further(stays, number: Figures.grouped) }

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
