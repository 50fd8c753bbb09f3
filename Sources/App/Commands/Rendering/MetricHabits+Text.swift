import HealthSyncDomain

extension MetricHabits.Weekday: JSONEncodable {
    package var json: JSONValue { ["weekday": name, "isoWeekday": isoWeekday, "averagePerDay": average] }
}

extension MetricHabits.Hour: JSONEncodable {
    /// `17:00 to 18:00`.
    var name: String { "\(Self.clock(hour)) to \(Self.clock(hour + 1))" }

    package var json: JSONValue { ["hour": hour, "averagePerDay": average] }

    private static func clock(_ hour: Int) -> String { (hour < 10 ? "0" : "") + "\(hour):00" }
}
