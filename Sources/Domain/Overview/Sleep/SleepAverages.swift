/// Means over the main sleep of nights, in milliseconds.
///
/// Nights of which nothing is known but time in bed do not count: nobody measured their sleep.
package struct SleepAverages: Hashable, Sendable {
    /// Means over nights whose sleep has stages, in milliseconds.
    package struct Stages: Hashable, Sendable {
        /// Number of such nights, at least 1.
        package let nights: Int
        package let awake: Double
        package let rem: Double
        package let core: Double
        package let deep: Double
    }

    /// Number of nights, at least 1.
    package let nights: Int
    package let inBed: Double
    package let asleep: Double
    /// Mean of the nights' efficiencies.
    package let efficiencyPercentage: Double
    /// `nil` when no night has stages.
    package let stages: Stages?

    /// Means over `nights`; `nil` when none has sleep.
    init?(of nights: [SleepNight]) {
        let slept = nights.map(\.main.durations).filter(\.isSleepKnown)
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
