package import HealthSyncDomain
package import HealthSyncPorts

/// The built-in metrics, in the order of help and reports. A handler is one line here; a sum or an average of a
/// type in `SampleTypeTable.builtIn` needs none.
package enum BuiltInHandlers {
    /// Returns the built-in metrics.
    ///
    /// - Parameters:
    ///   - sleepGapMinutes: a gap of more minutes between samples starts a new sleep session.
    ///   - sleepNightGapMinutes: parts of a night are at most this many minutes apart.
    ///   - heartRateHoldMinutes: the longest time for which a heart rate measurement holds.
    package static func all(
        sleepGapMinutes: Int = SleepSessionBuilder.standardGapMinutes,
        sleepNightGapMinutes: Int = SleepSessionBuilder.standardNightGapMinutes,
        heartRateHoldMinutes: Int = DiscreteSummary.standardHoldMinutes
    ) -> [any HealthMetricSyncHandler] {
        [
            QuantityHandler(.steps, of: .stepCount),
            // Version 2 had the same bounds of plausible values.
            QuantityHandler(.heartRate, of: .heartRate, version: 2, holdMinutes: heartRateHoldMinutes),
            SleepHandler(gapMinutes: sleepGapMinutes, nightGapMinutes: sleepNightGapMinutes),
            QuantityHandler(.activeEnergy, of: .activeEnergyBurned),
            QuantityHandler(.exerciseMinutes, of: .exerciseTime),
            QuantityHandler(.walkingDistance, of: .walkingRunningDistance),
            // A device reports its resting rate for a whole day, so hours have no figures, and rates of two devices are
            // not averaged.
            QuantityHandler(
                .restingHeartRate, of: .restingHeartRate, version: 3,
                choice: .bestOrigin, isHourly: false),
        ]
    }

    /// Returns the handler of a further metric: any quantity type by its short name, such as `bodyMass`; `nil` for a
    /// category.
    package static func handler(
        ofFurther type: SampleTypeDefinition, holdMinutes: Int = DiscreteSummary.standardHoldMinutes
    ) -> (any HealthMetricSyncHandler)? {
        guard type.kind != .category else { return nil }
        let name = type.type.shortName.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return QuantityHandler(HealthMetric(rawValue: name), of: type, holdMinutes: holdMinutes)
    }
}
