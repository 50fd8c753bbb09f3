package import HealthSyncDomain

/// What invented export is wanted.
package struct ExportGenerationRequest: Sendable, Hashable {
    /// How many years of days, ending with `lastDay`; 1 to 50.
    package var years: Int
    /// The last day with data; the export is dated the morning after.
    package var lastDay: CalendarDay
    /// Where all chance comes from: equal requests give equal bytes.
    package var seed: UInt64
    /// IANA name of the zone in which the person lives.
    package var zoneName: String
    /// Where the export goes: `.zip` for Apple's archive, `.xml` for its main file alone.
    package var outPath: String
    /// Where the true figures of each day go, as JSON; `nil` for nowhere.
    package var truthPath: String?
    /// Factor on how often devices measure, 0.05 to 20; 1 is about 700 records and 0.3 MB of XML a day.
    package var density: Double
    /// Whether the person spends some weeks in other zones.
    package var includesTravel: Bool
    /// Whether files that exist are replaced; otherwise they are an error.
    package var replacesFiles: Bool

    /// A request with these members; by default ten years up to the end of 2025.
    package init(
        years: Int = 10, lastDay: CalendarDay = CalendarDay(ordinal: 20_453), seed: UInt64 = 42,
        zoneName: String = "Europe/Paris", outPath: String, truthPath: String? = nil, density: Double = 1,
        includesTravel: Bool = true, replacesFiles: Bool = false
    ) {
        self.years = years
        self.lastDay = lastDay
        self.seed = seed
        self.zoneName = zoneName
        self.outPath = outPath
        self.truthPath = truthPath
        self.density = density
        self.includesTravel = includesTravel
        self.replacesFiles = replacesFiles
    }
}

/// What was written.
package struct GeneratedExport: Sendable, Hashable {
    /// The days with data.
    package var days: DayRange
    /// Records in the export, duplicates included.
    package var records: Int
    /// Size of the XML in bytes, before compression.
    package var xmlBytes: Int64

    package init(days: DayRange, records: Int, xmlBytes: Int64) {
        self.days = days
        self.records = records
        self.xmlBytes = xmlBytes
    }
}

/// Writes invented exports whose true figures are known, so that tests compare with truth rather than with ourselves.
///
/// Contract:
/// - Equal requests give equal XML and equal truth, on every run and machine; it depends on no clock and no locale.
/// - A file that exists is `.cannotCreate`, before anything is written, unless the request replaces files.
/// - Files appear whole or not at all: a failure or a cancellation leaves what stood at the paths before.
/// - Memory does not grow with the number of records.
/// - Throws `SyncFailure`: `.usage` for a request that makes no sense, `.cannotCreate` for files that cannot be
///   written. Cancellation of the calling task ends the work with `CancellationError`.
package protocol ExportGenerator: Sendable {
    /// Writes what `request` asks for; progress is reported in days of data written.
    func generate(
        _ request: ExportGenerationRequest, progress: (any ProgressReporter)?
    ) async throws -> GeneratedExport
}
