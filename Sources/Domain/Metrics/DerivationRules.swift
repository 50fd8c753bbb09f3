/// The rules by which days are derived from samples: which instants belong to a day, and which origin counts.
public struct DerivationRules: Sendable {
    /// The user's clock. It determines which instants belong to a day, an hour or a night.
    public let clock: DayClock
    /// Which origin counts where several measured the same time.
    public let originPriority: OriginPriority
    /// The values of the settings that the handler declares.
    public let settings: HandlerSettings
    private let zoneClock: @Sendable (String) -> DayClock?

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - clock: the user's clock.
    ///   - originPriority: the order of origins; by default by class of device.
    ///   - settings: the values of the handler's settings; by default their defaults.
    ///   - zoneClock: returns the clock of an IANA zone or a UTC offset, `nil` for an unknown name. By default every
    ///     name is unknown, so that all samples are counted by the user's clock.
    public init(
        clock: DayClock, originPriority: OriginPriority = OriginPriority(),
        settings: HandlerSettings = HandlerSettings(),
        zoneClock: @escaping @Sendable (String) -> DayClock? = { _ in nil }
    ) {
        self.clock = clock
        self.originPriority = originPriority
        self.settings = settings
        self.zoneClock = zoneClock
    }

    /// Returns the rules with other values of settings.
    package func with(_ settings: HandlerSettings) -> DerivationRules {
        DerivationRules(clock: clock, originPriority: originPriority, settings: settings, zoneClock: zoneClock)
    }

    /// Returns the clock of a sample that was recorded in the zone `name` (`HKTimeZone`); the user's clock for `nil` and
    /// for unknown names.
    public func clock(forZone name: String?) -> DayClock { name.flatMap(zoneClock) ?? clock }

    /// Returns the clock of the zone `name`; `nil` for an unknown name.
    package func statedClock(forZone name: String) -> DayClock? { zoneClock(name) }
}

/// The order of origins, which decides whose measurement counts where several measured the same time: first the names that
/// the user put in order, then by class (entered by hand, watch, band or ring, phone, other), then by canonical text.
public struct OriginPriority: Sendable, Hashable {
    /// Source names, the most trusted first.
    public let preferredNames: [String]
    private let comparedNames: [String]

    /// Creates an order in which `preferredNames` come first. They match as the names of inputs do: a no-break space,
    /// which Apple writes, equals a space, and composed letters equal decomposed ones.
    public init(preferredNames: [String] = []) {
        self.preferredNames = preferredNames
        comparedNames = preferredNames.map(InputSamples.comparedName)
    }

    /// Returns the preferred names that `names` does not contain.
    package func unknownNames(among names: [String]) -> [String] {
        let known = Set(names.map(InputSamples.comparedName))
        return preferredNames.filter { !known.contains(InputSamples.comparedName($0)) }
    }

    /// Returns whether `left` outranks `right`. This is a strict total order of different origins.
    public func precedes(_ left: SampleOrigin, _ right: SampleOrigin) -> Bool {
        let leftRank = rank(left)
        let rightRank = rank(right)
        return leftRank != rightRank ? leftRank < rightRank : left.orderingText < right.orderingText
    }

    /// Returns the place of `origin`: that of its preferred name, else that of its class. Several origins may have one place.
    package func rank(_ origin: SampleOrigin) -> Int {
        let name = InputSamples.comparedName(origin.sourceName)
        if let index = comparedNames.firstIndex(of: name) { return index }
        return preferredNames.count + DeviceClass(of: origin).rawValue
    }
}

/// The class of a device according to its names, the most trusted first.
package enum DeviceClass: Int {
    case enteredByHand
    case watch
    case bandOrRing
    case phone
    case other

    /// Creates the class of `origin`. HealthKit's device text takes precedence over the source name, which users choose.
    init(of origin: SampleOrigin) {
        if origin.isUserEntered {
            self = .enteredByHand
        } else {
            self = Self.named(in: origin.device) ?? Self.named(in: origin.sourceName) ?? .other
        }
    }

    /// Returns whether a whole word of `text` names a class.
    package static func isNamed(in text: String) -> Bool { named(in: text) != nil }

    /// Returns the class that a whole word of `text` names: "Watchara’s iPhone" is a phone.
    private static func named(in text: String) -> DeviceClass? {
        let words = words(of: text)
        return names.first { !words.isDisjoint(with: $0.names) }?.device
    }

    /// Product names come before generic words.
    private static let names: [(names: Set<String>, device: DeviceClass)] = [
        (["watch", "smartwatch"], .watch),
        (["fitbit", "whoop", "oura", "garmin"], .bandOrRing),
        (["iphone", "ipod"], .phone),
        (["band", "smartband", "ring"], .bandOrRing),
        (["phone", "smartphone"], .phone),
    ]

    /// Returns the runs of Latin letters in lower case, and the parts of words such as `MiBand`. Ignores possessives
    /// (`Ring’s`).
    private static func words(of text: String) -> Set<String> {
        var words: Set<String> = []
        let scalars = Array(text.unicodeScalars)
        var place = 0
        while place < scalars.count {
            let start = place
            while place < scalars.count, isLetter(scalars[place]) { place += 1 }
            if place == start || isPossessive(before: place, scalars) {
                place += 1
                continue
            }
            var part = start
            for next in (start + 1)..<place where isCapital(scalars[next]) && !isCapital(scalars[next - 1]) {
                words.insert(lowercase(scalars[part..<next]))
                part = next
            }
            words.formUnion([lowercase(scalars[part..<place]), lowercase(scalars[start..<place])])
        }
        return words
    }

    /// Returns whether `place` is followed by an apostrophe and an s that ends a word.
    private static func isPossessive(before place: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard place + 1 < scalars.count, scalars[place] == "'" || scalars[place] == "\u{2019}" else { return false }
        let isEndOfWord = place + 2 == scalars.count || !isLetter(scalars[place + 2])
        return (scalars[place + 1] == "s" || scalars[place + 1] == "S") && isEndOfWord
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { isCapital(scalar) || ("a"..."z").contains(scalar) }

    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }

    private static func lowercase(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars)).lowercased()
    }
}

/// The result of a handler for the requested days. A day without an entry has no data.
public struct DerivedDays: Sendable, Hashable {
    /// Values by metric and day. A handler may derive several metrics (systolic and diastolic pressure).
    public var progress: [DailyProgress]
    /// Sleep sessions that belong to the days. Only the handler of `sleep` may derive any.
    public var sleepSessions: [SleepSession]
    /// The number of implausible samples of these days that were skipped, by reason. The run reports the sums.
    public var skipped: [String: Int]

    /// Creates a result.
    public init(
        progress: [DailyProgress] = [], sleepSessions: [SleepSession] = [], skipped: [String: Int] = [:]
    ) {
        self.progress = progress
        self.sleepSessions = sleepSessions
        self.skipped = skipped
    }
}
