/// What the sources of one provider state of the clocks that the user lives by.
package struct ZoneEvidence: Sendable, Hashable {
    /// Finds the rules of a zone.
    package typealias RulesByName = (String) throws(UnknownTimeZone) -> ZoneRules

    /// The provider, such as `appleHealth`.
    package var provider: String
    /// By instant.
    package var offsets: [StatedOffset]

    package init(provider: String, offsets: [StatedOffset]) {
        self.provider = provider
        self.offsets = offsets
    }

    /// The latest offset that `clock` does not show; `nil` where it shows all of them.
    package func contradiction(to clock: DayClock) -> StatedOffset? {
        offsets.last { clock.offsetSeconds(at: $0.instant) != $0.seconds }
    }

    /// The evidence that `clock` contradicts, with the latest offset that contradicts it.
    package static func contradiction(
        among evidence: [ZoneEvidence], to clock: DayClock
    ) -> (evidence: ZoneEvidence, stated: StatedOffset)? {
        let found = evidence.compactMap { item in item.contradiction(to: clock).map { (evidence: item, stated: $0) } }
        return found.max { $0.stated.instant < $1.stated.instant }
    }

    /// At most eight zones that show all of `offsets`, the most common ones first; where no zone does, those that show
    /// the latest one.
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

    /// What a user should know where days are counted by `clock` and a source contradicts it; `nil` where none does.
    package static func notice(
        of evidence: [ZoneEvidence], countedBy clock: DayClock, _ rules: RulesByName
    ) -> String? {
        guard let (source, stated) = contradiction(among: evidence, to: clock) else { return nil }
        return
            "\(source.provider) states \(UTCOffset.text(stated.seconds)) for \(day(of: stated)), but days are counted by "
            + "\(reading(of: clock, at: stated)); if you live elsewhere, run `healthsync historical --zone ZONE`"
            + suggestion(candidates(for: source.offsets, rules))
            + "; if you travelled, add the stay to \"timeZones\" in the configuration"
    }

    /// Why a first import by the system's zone is rejected, and the zones to choose from; `nil` where nothing contradicts.
    package static func rejection(
        of evidence: [ZoneEvidence], countedBy clock: DayClock, _ rules: RulesByName
    ) -> (reason: String, advice: String)? {
        guard let (source, stated) = contradiction(among: evidence, to: clock) else { return nil }
        let reason =
            "no zone is configured, and this system's zone, \(reading(of: clock, at: stated)) on \(day(of: stated)), is not "
            + "the one of the data: \(source.provider) states \(UTCOffset.text(stated.seconds))"
        return (
            reason,
            "nothing was imported; name the zone you live in with --zone"
                + suggestion(candidates(for: source.offsets, rules)) + " or as \"zone\" in the configuration"
        )
    }

    private static func suggestion(_ names: [String]) -> String {
        names.isEmpty ? "" : " (such as \(names.joined(separator: ", ")))"
    }

    private static func reading(of clock: DayClock, at stated: StatedOffset) -> String {
        let zone = clock.rules(on: clock.day(of: stated.instant)).identifier
        return "\(zone) (\(UTCOffset.text(clock.offsetSeconds(at: stated.instant))))"
    }

    private static func day(of stated: StatedOffset) -> String {
        "\(CalendarDay(utcDayOf: stated.instant.advanced(bySeconds: stated.seconds)))"
    }
}
