import HealthSyncDomain

/// All records of one type, written day by day, because an export is grouped by type.
protocol RecordSeries: Sendable {
    /// HealthKit's identifier, or the element's name for other elements.
    var type: String { get }
    /// Writes the type's records of the day and records their truth.
    func write(_ plan: DayPlan, to page: inout ExportPage)
}
