import HealthSyncDomain

extension JournalView {
    var json: JSONValue {
        [
            "day": .string("\(journal.day)"), "zone": .string(clock.home.identifier),
            "total": .object(JSONValue.members(journal.total)),
            "shoes": .array(
                journal.uses.map { use in
                    .object(
                        names.members(use.shoe) + [JSONValue.Member(name: "wornMinutes", value: .minutes(use.worn))]
                            + JSONValue.members(use.figures))
                }),
            "unattributed": .object(JSONValue.members(journal.unattributed)),
            "hours": .array(journal.hours.map(hour)),
        ]
    }

    private func hour(_ hour: ShoeJournal.Hour) -> JSONValue {
        let wearings = hour.wearings.map { part -> JSONValue in
            .object(names.members(part.shoe) + JSONValue.members(part.range, clock) + JSONValue.members(part.figures))
        }
        return .object(
            [JSONValue.Member(name: "hour", value: .optional(hour.name))] + JSONValue.members(hour.range, clock)
                + JSONValue.members(hour.figures) + [JSONValue.Member(name: "wearings", value: .array(wearings))])
    }
}
