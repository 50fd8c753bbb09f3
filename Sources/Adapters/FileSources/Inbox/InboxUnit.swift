import HealthSyncDomain

/// Maps the spellings of units that apps use to HealthKit's.
enum InboxUnit {
    private static let spellings = [
        "bpm": "count/min", "BPM": "count/min", "breaths/min": "count/min", "rpm": "count/min", "steps": "count",
        "°C": "degC", "°F": "degF", "kg/m²": "count", "mL/kg/min": "mL/min·kg", "mL/kg*min": "mL/min·kg",
        "ml/kg*min": "mL/min·kg", "mL/(kg*min)": "mL/min·kg", "ml/(kg*min)": "mL/min·kg", "ml/kg/min": "mL/min·kg",
        "kcal/(kg*hr)": "kcal/hr·kg", "kcal/kg*hr": "kcal/hr·kg", "lbs": "lb", "h": "hr", "sec": "s",
    ]

    /// Returns HealthKit's spelling of `stated`.
    static func healthKit(_ stated: String) -> String { spellings[stated] ?? stated }
}
