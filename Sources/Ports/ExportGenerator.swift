package import HealthSyncDomain

/// A request to generate a synthetic export.
package struct ExportGenerationRequest: Sendable, Hashable {
    /// The number of years of data, ending on `lastDay`; 1 to 50.
    package var years: Int
    /// The last day with data. The export is dated the morning after.
    package var lastDay: CalendarDay
    /// The seed of all randomness: equal requests produce equal bytes.
    package var seed: UInt64
    /// The IANA name of the zone in which the simulated user lives.
    package var zoneName: String
    /// The path of the export: `.zip` for Apple's archive, `.xml` for its main file alone.
    package var outPath: String
    /// The path of the true figures of each day, as JSON; `nil` to omit them.
    package var truthPath: String?
    /// A factor for the number of measurements, 0.05 to 20; 1 is about 700 records and 0.3 MB of XML a day.
    package var density: Double
    /// Whether the simulated user spends some weeks in other zones.
    package var includesTravel: Bool
    /// Whether existing files are replaced; otherwise they are an error.
    package var replacesFiles: Bool

    /// Creates a request; by default for ten years up to the end of 2025.
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

/// The result of a generation.
package struct GeneratedExport: Sendable, Hashable {
    /// The days with data.
    package var days: DayRange
    /// The number of records in the export, including duplicates.
    package var records: Int
    /// The size of the XML in bytes, before compression.
    package var xmlBytes: Int64

    package init(days: DayRange, records: Int, xmlBytes: Int64) {
        self.days = days
        self.records = records
        self.xmlBytes = xmlBytes
    }
}

/// Writes synthetic exports with known true figures, so that tests compare with the truth and not with the program
/// itself.
///
/// Contract:
/// - Equal requests produce equal XML and equal truth, on every run and machine. The output does not depend on the
///   clock or the locale.
/// - An existing file is an error before anything is written, unless the request replaces files.
/// - Files appear completely or not at all: after a failure or a cancellation, existing files are unchanged.
/// - Memory use does not grow with the number of records.
/// - Throws `SyncFailure`: `.usage` for an invalid request, `.cannotCreate` for files that cannot be written.
///   Cancellation of the calling task throws `CancellationError`.
package protocol ExportGenerator: Sendable {
    /// Writes the export for `request`. Progress is reported in days of data written.
    func generate(
        _ request: ExportGenerationRequest, progress: (any ProgressReporter)?
    ) async throws -> GeneratedExport
}
