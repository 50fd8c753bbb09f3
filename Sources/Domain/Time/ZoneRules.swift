import Foundation

/// When the clocks of one IANA zone showed which offset: a table of transitions, so that a question is a binary
/// search and not a call into a calendar library.
public struct ZoneRules: Sendable, Hashable {
    /// The IANA identifier, such as `Europe/Paris`.
    public let identifier: String
    /// Instants at which the offset changes, ascending, in seconds since 1970.
    let transitions: [Int64]
    /// `offsets[0]` holds before the first transition, `offsets[i + 1]` from `transitions[i]` on; seconds east of UTC.
    let offsets: [Int64]

    /// The rules of the zone named `identifier` as Swift's Foundation knows them, which may be older than the system's:
    /// the program asks its `TimeSource`.
    ///
    /// An unknown zone is an error and never silently UTC.
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

    /// Name and all offsets: equal for equal rules.
    package var canonicalText: String { "\(identifier) \(transitions) \(offsets)" }

    /// Seconds east of UTC that a wall clock in the zone shows at `instant`.
    public func offsetSeconds(at instant: Instant) -> Int64 { offsets[index(at: instant.seconds)] }

    /// Whether wall clocks of both zones always show the same, as those of a zone and its old name do.
    func showsTime(of other: ZoneRules) -> Bool { transitions == other.transitions && offsets == other.offsets }

    /// The first instant at which a wall clock of the zone has reached midnight of `day`.
    ///
    /// Where midnight is skipped that is the transition; where it is repeated it is the first of the two.
    public func start(of day: CalendarDay) -> Instant {
        let midnight = Int64(day.ordinal) * 86_400
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

    /// Whether `name` could be a zone: a relative path of letters, digits, `_`, `+` and `-`, so that it never leads out of
    /// the folder of the zone files.
    package static func isIANAName(_ name: String) -> Bool {
        name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2F || byte == 0x5F || byte == 0x2B || byte == 0x2D
            }
    }

    // Samples are dated within a lifetime of today; outside these years the nearest offset holds.
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
    /// The name as it was given.
    public let identifier: String

    package init(identifier: String) { self.identifier = identifier }

    /// One line for a person, with what to do.
    public var description: String {
        "unknown time zone \"\(identifier)\"; use an IANA name such as Europe/Paris"
    }
}
