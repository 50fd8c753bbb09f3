import HealthSyncDomain

/// Maps the app's spelling of units to HealthKit's.
enum HealthAutoExportUnit {
    private static let spellings: [String: [String]] = [
        "bpm": ["count/min"], "BPM": ["count/min"], "breaths/min": ["count/min"], "steps": ["count"],
        "lbs": ["lb"], "hour": ["hr"], "hours": ["hr"], "h": ["hr"], "minutes": ["min"], "sec": ["s"],
        "kcal": ["Cal"], "Cal": ["kcal"], "ml/(kg·min)": ["mL/min·kg"], "ml/(kg*min)": ["mL/min·kg"],
        "mL/(kg·min)": ["mL/min·kg"], "kmph": ["km/hr"], "mph": ["mi/hr"], "°C": ["degC"], "°F": ["degF"],
        "dB": ["dBASPL"],
    ]

    /// Returns the conversion of values in `stated` to the unit of `definition`; `nil` if none exists.
    ///
    /// The app writes percentages as 0–100; HealthKit's `%` is a fraction.
    static func conversion(from stated: String, to definition: SampleTypeDefinition) -> UnitConversion? {
        let candidates = [stated] + (spellings[stated] ?? [])
        for unit in candidates {
            guard let conversion = definition.conversion(from: unit) else { continue }
            return unit == "%" ? UnitConversion(factor: conversion.factor / 100) : conversion
        }
        return nil
    }

    /// Returns HealthKit's spelling of `stated`, for a type that has no canonical unit yet.
    static func healthKitUnit(_ stated: String) -> String {
        stated == "kcal" || stated == "Cal" ? "kcal" : spellings[stated]?.first ?? stated
    }
}
