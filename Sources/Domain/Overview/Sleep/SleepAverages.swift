/// Means over the main sleep of nights, in milliseconds.
///
/// Excludes nights of which only the time in bed is known.
package struct SleepAverages: Hashable, Sendable {
    /// Means over nights whose sleep has stages, in milliseconds.
    package struct Stages: Hashable, Sendable {
        /// The number of such nights, at least 1.
        package let nights: Int
        package let awake: Double
        package let rem: Double
        package let core: Double
        package let deep: Double
    }

    /// The number of nights, at least 1.
    package let nights: Int
    package let inBed: Double
    package let asleep: Double
    /// The mean of the nights' efficiencies, in percent.
    package let efficiencyPercentage: Double
    /// `nil` if no night has stages.
    package let stages: Stages?

    /// Creates the means over the main sleeps of `nights`; `nil` if none has sleep.
    init?(of nights: [SleepNight]) { self.init(of: nights.map(\.main.durations)) }

    /// Creates the means over main sleeps; `nil` if none has sleep.
    package init?(of mains: [SleepDurations]) {
        let slept = mains.filter(\.isSleepKnown)
        guard !slept.isEmpty else { return nil }
        self.nights = slept.count
        inBed = Self.mean(slept) { Double($0.inBed) }
        asleep = Self.mean(slept) { Double($0.asleep) }
        efficiencyPercentage = Self.mean(slept) { $0.efficiencyPercentage }
        let staged = slept.filter { $0.core + $0.deep + $0.rem > 0 }
        stages =
            staged.isEmpty
            ? nil
            : Stages(
                nights: staged.count, awake: Self.mean(staged) { Double($0.awake) },
                rem: Self.mean(staged) { Double($0.rem) }, core: Self.mean(staged) { Double($0.core) },
                deep: Self.mean(staged) { Double($0.deep) })
    }

    private static func mean(_ nights: [SleepDurations], _ figure: (SleepDurations) -> Double) -> Double {
        (nights.reduce(0) { $0 + figure($1) } / Double(nights.count)).asFigure
    }
}

extension SleepAverages {
    /// Returns a note that the means exclude `count` nights of which only the time in bed is known; `nil` for 0.
    package static func note(onlyInBed count: Int, number: (Int) -> String) -> String? {
        guard count > 0 else { return nil }
        let nights = CountText.of(count, "night", number: number)
        return "of \(nights) only the time in bed is known; no average includes \(count == 1 ? "it" : "them")"
    }
}
