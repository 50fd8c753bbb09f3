/// A thing that is followed over days, such as steps: the name under which results are kept, shown and sent.
///
/// An open struct and no enum, so that a plug-in's metric is as good as a built-in one.
public struct HealthMetric: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    /// The name, in lower camel case; letters and digits only.
    public let rawValue: String

    /// The metric of that name.
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

    /// By name.
    public static func < (left: HealthMetric, right: HealthMetric) -> Bool { left.rawValue < right.rawValue }
}
