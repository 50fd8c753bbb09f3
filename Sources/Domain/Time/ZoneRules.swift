import Foundation

/// The UTC offsets of one IANA zone as a table of transitions, so that a lookup is a binary search instead of a call
/// to a calendar library.
public struct ZoneRules: Sendable, Hashable {
    /// The IANA identifier, such as `Europe/Paris`.
    public let identifier: String
    /// Instants at which the offset changes, ascending, in seconds since 1970.
    let transitions: [Int64]
    /// `offsets[0]` applies before the first transition, `offsets[i + 1]` from `transitions[i]` on; seconds east of
    /// UTC.
    let offsets: [Int64]

    /// Coordinated universal time.
    public static let utc = ZoneRules(identifier: "UTC", transitions: [], offsets: [0])

    /// Creates the rules of the zone named `identifier` from Swift's Foundation. They may be older than those of the
    /// system; the program uses its `TimeSource` instead.
    ///
    /// - Throws: `UnknownTimeZone`. An unknown zone never silently becomes UTC.
    public init(identifier: String) throws(UnknownTimeZone) {
        guard Self.isIANAName(identifier), let zone = TimeZone(identifier: identifier) else {
            throw UnknownTimeZone(identifier: identifier)
        }
        self.identifier = identifier
        (transitions, offsets) = Self.table(of: zone)
    }

    package init(identifier: String, transitions: [Int64], offsets: [Int64]) {
        self.identifier = identifier
        self.transitions = transitions
        self.offsets = offsets
    }

    /// The name and all offsets: equal for equal rules. Stored as a digest, so it must stay as it is.
    package var canonicalText: String {
        // As "\(transitions)" writes it, without reflection.
        func text(_ seconds: [Int64]) -> String { "[\(seconds.map(\.description).joined(separator: ", "))]" }
        return "\(identifier) \(text(transitions)) \(text(offsets))"
    }

    /// Returns the UTC offset at `instant`, in seconds east of UTC.
    public func offsetSeconds(at instant: Instant) -> Int64 { offsets[index(at: instant.seconds)] }

    /// Returns the first change of the clocks after `start` and before `end`; `nil` without one.
    func firstChange(after start: Instant, before end: Instant) -> Instant? {
        let next = index(at: start.seconds)
        guard next < transitions.count, transitions[next] < end.seconds else { return nil }
        return Instant(seconds: transitions[next])
    }

    /// Returns whether both zones always have the same offset, as a zone and its former name do.
    func showsTime(of other: ZoneRules) -> Bool { transitions == other.transitions && offsets == other.offsets }

    /// Returns whether both zones have the same offset from `instant` on.
    func showsTime(of other: ZoneRules, since instant: Instant) -> Bool {
        let (own, their) = (index(at: instant.seconds), other.index(at: instant.seconds))
        return transitions[own...] == other.transitions[their...] && offsets[own...] == other.offsets[their...]
    }

    /// Returns the first instant at which the wall clock of the zone reaches midnight of `day`.
    ///
    /// If midnight is skipped, this is the transition. If it is repeated, this is the first of the two.
    public func start(of day: CalendarDay) -> Instant {
        let midnight = day.utcStartSeconds
        // A wall clock differs from UTC by less than a day, so the answer lies within one day of midnight UTC.
        for index in self.index(at: midnight - 86_400)...self.index(at: midnight + 86_400) {
            let begins = index == 0 ? Int64.min : transitions[index - 1]
            let ends = index == transitions.count ? Int64.max : transitions[index]
            let candidate = max(midnight - offsets[index], begins)
            if candidate < ends { return Instant(seconds: candidate) }
        }
        return Instant(seconds: midnight - offsets[self.index(at: midnight)])
    }

    private func index(at seconds: Int64) -> Int { transitions.partitionPoint { $0 <= seconds } }

    /// Returns whether `name` has the form of a zone name: a relative path of letters, digits, `_`, `+` and `-`,
    /// which cannot lead out of the folder of zone files.
    package static func isIANAName(_ name: String) -> Bool {
        name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2F || byte == 0x5F || byte == 0x2B || byte == 0x2D
            }
    }

    // Samples are within a lifetime of today. Outside these years the nearest offset applies.
    static let firstSecond: Int64 = -2_208_988_800  // 1900-01-01
    static let lastSecond: Int64 = 4_102_444_800  // 2100-01-01

    private static func table(of zone: TimeZone) -> (transitions: [Int64], offsets: [Int64]) {
        var transitions: [Int64] = []
        var moment = Date(timeIntervalSince1970: TimeInterval(firstSecond))
        var offsets = [Int64(zone.secondsFromGMT(for: moment))]
        while let next = zone.nextDaylightSavingTimeTransition(after: moment), next > moment,
            next.timeIntervalSince1970 < TimeInterval(lastSecond)
        {
            let offset = Int64(zone.secondsFromGMT(for: next))
            if offset != offsets[offsets.count - 1] {
                transitions.append(Int64(next.timeIntervalSince1970.rounded()))
                offsets.append(offset)
            }
            moment = next
        }
        return (transitions, offsets)
    }
}

/// A zone name that the time zone database does not know.
public struct UnknownTimeZone: Error, Sendable, CustomStringConvertible {
    /// The given name.
    public let identifier: String

    package init(identifier: String) { self.identifier = identifier }

    /// The error message with the remedy.
    public var description: String { "unknown time zone \"\(identifier)\"; \(advice)" }

    /// What to write instead: a common zone whose city has this name, else the kind of name.
    package var advice: String {
        func city(_ name: String) -> Substring? {
            name.lowercased().replacing(" ", with: "_").split(separator: "/").last
        }
        let meant = CommonZones.names.first { city($0) == city(identifier) }
        return meant.map { "did you mean \($0)?" } ?? "use an IANA name such as Europe/Paris"
    }
}
