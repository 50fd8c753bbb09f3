extension SleepDurations {
    /// The figures of a session as a server returns them: minutes in bed, asleep, awake, and of REM, core and deep
    /// sleep, rounded to four decimals, and the efficiency in percent.
    package var sentFigures: [Double] {
        let minutes = [inBed, asleep, awake, rem, core, deep].map { Double($0) / 60_000 }
        return (minutes + [efficiencyPercentage]).map(Self.rounded)
    }

    /// Returns `value` rounded to four decimals.
    package static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

extension SleepSession {
    /// The id of the night or nap of which the session is a part, as it is sent: its first moment asleep.
    package var nightID: String { RFC3339.string(onset) }

    /// The durations that a server computes from the session as sent.
    package var durationsOnServer: SleepDurations {
        stages.isEmpty ? durations.limited(to: interval) : SleepDurations(of: stages, within: interval)
    }
}
