import HealthSyncDomain

/// All records of one type, written a day at a time: an export is grouped by type.
protocol RecordSeries: Sendable {
    /// HealthKit's identifier, or the element's name for what is no record.
    var type: String { get }
    /// Writes the type's records of the day and enters what is true of them.
    func write(_ plan: DayPlan, to page: inout ExportPage)
}
