import HealthSyncDomain

extension JournalView: JSONEncodable {
    package var json: JSONValue {
        [
            "day": journal.day, "zone": clock.home.identifier, "total": JSONValue.walk(journal.total),
            "shoes": journal.uses.map { use in
                JSONValue.joined(
                    names.members(use.shoe), ["wornMinutes": JSONValue.minutes(use.worn)], .walk(use.figures))
            },
            "unattributed": JSONValue.walk(journal.unattributed), "hours": journal.hours.map(hour),
        ]
    }

    private func hour(_ hour: ShoeJournal.Hour) -> JSONValue {
        let wearings = hour.wearings.map { part in
            JSONValue.joined(
                names.members(part.shoe), .range(part.range.start, part.range.end, clock), .walk(part.figures))
        }
        return .joined(
            ["hour": hour.name], .range(hour.range.start, hour.range.end, clock), .walk(hour.figures),
            ["wearings": wearings])
    }
}
