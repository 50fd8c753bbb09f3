extension SleepDurations {
    /// The figures of a session as a server answers them: minutes in bed, of sleep, awake, of REM, core and deep sleep, to
    /// four digits after the point, and the efficiency in percent.
    package var sentFigures: [Double] {
        let minutes = [inBed, asleep, awake, rem, core, deep].map { Double($0) / 60_000 }
        return (minutes + [efficiencyPercentage]).map(Self.rounded)
    }

    /// `value` to four digits after the point.
    package static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

extension SleepSession {
    /// The durations as a server computes them from what it is sent of the session.
    package var durationsOnServer: SleepDurations {
        stages.isEmpty ? durations.limited(to: interval) : SleepDurations(of: stages, within: interval)
    }
}
