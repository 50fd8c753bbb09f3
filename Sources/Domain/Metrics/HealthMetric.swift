/// The name of a metric, such as steps: results are stored, shown and delivered under it.
///
/// A struct rather than an enum, so that plug-ins can add metrics.
public struct HealthMetric: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    /// The name, in lower camel case; letters and digits only.
    public let rawValue: String

    /// Creates a metric with the name `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Steps, merged over the devices that counted them; unit `count`.
    public static let steps = HealthMetric(rawValue: "steps")
    /// Heart rate; unit `count/min`.
    public static let heartRate = HealthMetric(rawValue: "heartRate")
    /// Sleep sessions with stages.
    public static let sleep = HealthMetric(rawValue: "sleep")
    /// Active energy; unit `kcal`.
    public static let activeEnergy = HealthMetric(rawValue: "activeEnergy")
    /// Exercise time; unit `min`.
    public static let exerciseMinutes = HealthMetric(rawValue: "exerciseMinutes")
    /// Distance walked and run; unit `km`.
    public static let walkingDistance = HealthMetric(rawValue: "walkingDistance")
    /// Resting heart rate; unit `count/min`.
    public static let restingHeartRate = HealthMetric(rawValue: "restingHeartRate")

    /// The name.
    public var description: String { rawValue }

    /// Compares names.
    public static func < (left: HealthMetric, right: HealthMetric) -> Bool { left.rawValue < right.rawValue }
}
