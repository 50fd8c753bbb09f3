/// The UTC offsets that the sources of one provider state, as evidence of the user's time zone.
package struct ZoneEvidence: Sendable, Hashable {
    /// Returns the rules of a zone.
    package typealias RulesByName = (String) throws(UnknownTimeZone) -> ZoneRules

    /// The provider, such as `appleHealth`.
    package var provider: String
    /// Ordered by instant.
    package var offsets: [StatedOffset]

    package init(provider: String, offsets: [StatedOffset]) {
        self.provider = provider
        self.offsets = offsets
    }

    /// Returns the latest offset that differs from that of `clock`; `nil` if none differs.
    package func contradiction(to clock: DayClock) -> StatedOffset? {
        offsets.last { clock.offsetSeconds(at: $0.instant) != $0.seconds }
    }

    /// Returns the evidence with the latest offset that differs from that of `clock`; `nil` if none differs.
    package static func contradiction(
        among evidence: [ZoneEvidence], to clock: DayClock
    ) -> (evidence: ZoneEvidence, stated: StatedOffset)? {
        let found = evidence.compactMap { item in item.contradiction(to: clock).map { (evidence: item, stated: $0) } }
        return found.max { $0.stated.instant < $1.stated.instant }
    }

    /// Returns at most eight zones that have all of `offsets`, the most common ones first. If no zone does, returns
    /// those that have the latest offset.
    package static func candidates(for offsets: [StatedOffset], _ rules: RulesByName) -> [String] {
        let all = fitting(offsets, rules)
        return all.isEmpty && offsets.count > 1 ? fitting(offsets.suffix(1), rules) : all
    }

    private static func fitting(_ offsets: some Collection<StatedOffset>, _ rules: RulesByName) -> [String] {
        var names: [String] = []
        for name in CommonZones.names where names.count < 8 {
            guard let known = try? rules(name) else { continue }
            if offsets.allSatisfy({ known.offsetSeconds(at: $0.instant) == $0.seconds }) { names.append(name) }
        }
        return names
    }

    /// Returns a notice for the user if a source contradicts the zone of `clock`; otherwise `nil`. It proposes another zone
    /// only if that ends the contradiction, or at least that with the latest offset.
    package static func notice(
        of evidence: [ZoneEvidence], countedBy clock: DayClock, _ rules: RulesByName
    ) -> String? {
        guard let (source, stated) = contradiction(among: evidence, to: clock) else { return nil }
        let isLatest = stated == source.offsets.last
        let zones = isLatest ? candidates(for: source.offsets, rules) : fitting(source.offsets, rules)
        let move =
            "if you live elsewhere, run `healthsync historical --zone ZONE --save`\(SyncFailure.Action.suggestion(zones)); "
        return
            "\(source.provider) states \(UTCOffset.text(stated.seconds)) for \(day(of: stated)), but the time zone of the days is "
            + "\(reading(of: clock, at: stated)); \(isLatest || !zones.isEmpty ? move : "")"
            + "if you travelled, add the stay to \"timeZones\" in the configuration"
    }

    /// Returns the reason why a first import in the system's zone is rejected, with zones to choose from; `nil` if neither the
    /// offsets of a source nor the zones that records state by name contradict the zone.
    package static func rejection(
        of evidence: [ZoneEvidence], _ stays: StatedStays, countedBy clock: DayClock, _ rules: RulesByName
    ) -> (reason: String, action: SyncFailure.Action)? {
        let stated: String
        let system: String
        if let (source, offset) = contradiction(among: evidence, to: clock) {
            system = reading(of: clock, at: offset)
            stated = "\(source.provider) states \(UTCOffset.text(offset.seconds)) for \(day(of: offset))"
        } else if let zone = stays.contradiction(to: clock) {
            system = clock.home.identifier
            stated = zone.text
        } else {
            return nil
        }
        let reason =
            "no time zone is configured, and the system's zone \(system) does not match the data: \(stated)"
        return (reason, .chooseZone(candidates: candidates(for: evidence, stays, countedBy: clock, rules)))
    }

    /// Returns zones to choose from, the likeliest first: the one that most records state by name, unless `clock` has it,
    /// then at most eight that have the offsets of a source that contradicts `clock`, or of all sources if none does and no
    /// record states a zone.
    package static func candidates(
        for evidence: [ZoneEvidence], _ stays: StatedStays, countedBy clock: DayClock, _ rules: RulesByName
    ) -> [String] {
        let named = stays.contradiction(to: clock).map { [$0.zone.identifier] } ?? []
        let contrary = contradiction(among: evidence, to: clock)?.evidence.offsets
        guard named.isEmpty || contrary != nil else { return named }
        let fitting = candidates(for: contrary ?? evidence.flatMap(\.offsets), rules)
        return named + fitting.filter { !named.contains($0) }
    }

    private static func reading(of clock: DayClock, at stated: StatedOffset) -> String {
        let zone = clock.rules(on: clock.day(of: stated.instant)).identifier
        return "\(zone) (\(UTCOffset.text(clock.offsetSeconds(at: stated.instant))))"
    }

    private static func day(of stated: StatedOffset) -> String {
        "\(CalendarDay(utcDayOf: stated.instant.advanced(bySeconds: stated.seconds)))"
    }
}

/// Zones to suggest to a user, approximately by number of inhabitants with a phone.
enum CommonZones {
    static let names = [
        "America/New_York", "America/Chicago", "America/Los_Angeles", "America/Denver", "America/Phoenix",
        "Asia/Shanghai", "Asia/Tokyo", "Europe/London", "Europe/Berlin", "Europe/Paris", "Europe/Rome", "Europe/Madrid",
        "America/Toronto", "America/Vancouver", "Australia/Sydney", "Asia/Kolkata", "America/Sao_Paulo", "Asia/Seoul",
        "Europe/Moscow", "America/Mexico_City", "Asia/Singapore", "Asia/Hong_Kong", "Asia/Taipei", "Asia/Dubai",
        "Europe/Istanbul", "Asia/Bangkok", "Asia/Jakarta", "Asia/Manila", "Asia/Ho_Chi_Minh", "Asia/Kuala_Lumpur",
        "Europe/Amsterdam", "Europe/Brussels", "Europe/Zurich", "Europe/Vienna", "Europe/Stockholm", "Europe/Oslo",
        "Europe/Copenhagen", "Europe/Warsaw", "Europe/Prague", "Europe/Budapest", "Europe/Dublin", "Europe/Lisbon",
        "Europe/Athens", "Europe/Helsinki", "Europe/Bucharest", "Europe/Kyiv", "Asia/Riyadh", "Asia/Jerusalem",
        "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi", "Africa/Casablanca", "Africa/Algiers",
        "America/Argentina/Buenos_Aires", "America/Bogota", "America/Lima", "America/Santiago", "America/Caracas",
        "America/Halifax", "America/St_Johns", "America/Anchorage", "Pacific/Honolulu", "America/Edmonton",
        "America/Winnipeg", "America/Havana", "America/Montevideo", "America/La_Paz", "America/Puerto_Rico",
        "Australia/Melbourne", "Australia/Brisbane", "Australia/Perth", "Australia/Adelaide", "Australia/Darwin",
        "Pacific/Auckland", "Asia/Karachi", "Asia/Dhaka", "Asia/Kathmandu", "Asia/Colombo", "Asia/Yangon",
        "Asia/Tashkent", "Asia/Almaty", "Asia/Tehran", "Asia/Kabul", "Asia/Baku", "Asia/Tbilisi", "Asia/Yerevan",
        "Asia/Baghdad", "Asia/Beirut", "Asia/Amman", "Asia/Damascus", "Asia/Yekaterinburg", "Asia/Omsk",
        "Asia/Novosibirsk", "Asia/Irkutsk", "Asia/Yakutsk", "Asia/Vladivostok", "Asia/Magadan", "Asia/Kamchatka",
        "Atlantic/Azores", "Atlantic/Cape_Verde", "Atlantic/Reykjavik", "Africa/Abidjan", "Pacific/Fiji",
        "Pacific/Guam", "Pacific/Noumea", "Pacific/Apia", "Pacific/Tongatapu", "Pacific/Chatham", "Pacific/Kiritimati",
        "Pacific/Pago_Pago", "Pacific/Marquesas", "Pacific/Gambier", "Australia/Lord_Howe", "Australia/Eucla",
        "America/Noronha", "America/Nuuk", "UTC",
    ]
}

/// The first instants of a user's days, from which the time zones of the days follow.
package struct DayStarts: Sendable {
    private let days: [(day: CalendarDay, start: Instant)]

    /// More moves than any user makes; further days are shown in the last zone.
    private static let mostStays = 200

    package init(_ starts: [CalendarDay: Instant]) {
        days = starts.map { ($0.key, $0.value) }.sorted { $0.day < $1.day }
    }

    /// Returns a clock by which the days begin as stated: `usual` if they do, else zones that have the same offsets, each for
    /// as many days as possible. Of zones that fit equally, the one of `usual` and the more common ones come first.
    package func clock(usual: DayClock, _ rules: ZoneEvidence.RulesByName) -> DayClock {
        if days.allSatisfy({ usual.start(of: $0.day) == $0.start }) { return usual }
        let zones = [usual.home] + CommonZones.names.compactMap { try? rules($0) }
        var stays: [DayClock.Residence] = []
        var next = 0
        while next < days.count, stays.count < Self.mostStays {
            let (zone, count) = longest(from: next, among: stays.map(\.rules).suffix(2) + zones)
            // A day that begins as in no known zone, such as the first one after a flight across the date line.
            guard count > 0 else {
                next += 1
                continue
            }
            if stays.last?.rules != zone { stays.append(DayClock.Residence(firstDay: days[next].day, rules: zone)) }
            next += count
        }
        return stays.first.map { DayClock(home: $0.rules, residences: Array(stays.dropFirst())) } ?? usual
    }

    /// Returns the zone in which most days from number `first` on begin as stated, and their number.
    private func longest(from first: Int, among zones: [ZoneRules]) -> (zone: ZoneRules, count: Int) {
        var best = (zone: zones[0], count: 0)
        for zone in zones {
            let count = days[first...].prefix { zone.start(of: $0.day) == $0.start }.count
            if count > best.count { best = (zone, count) }
            if count == days.count - first { break }
        }
        return best
    }
}
