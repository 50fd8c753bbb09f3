import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools

/// Helpers of most tests in this suite.
enum Exports {
    /// A selection of every type.
    static let everything = SampleSelection(types: SampleTypeTable.builtIn().rows, includesOtherTypes: true)

    static func source(_ path: String, limits: DecompressionLimits = DecompressionLimits()) -> AppleHealthExport {
        AppleHealthExport(path: path, hasher: LibcryptoHasher(), limits: limits)
    }

    /// Reads everything in the export at `path`.
    static func read(_ path: String, _ selection: SampleSelection = everything) async throws -> CollectedReading {
        try await CollectedReading.collect(source(path), selection)
    }

    /// Reads everything in an export with these elements.
    static func read(elements: String) async throws -> CollectedReading {
        let folder = try TemporaryFolder()
        return try await read(folder.write(document(elements), as: "export.xml"))
    }

    static func document(_ elements: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"fr_FR\">\n\(elements)\n</HealthData>\n"
    }

    /// Returns a record of the phone from 8:00 to 8:10.
    static func record(
        _ type: String = "HKQuantityTypeIdentifierStepCount", unit: String? = "count", value: String? = "120",
        start: String = "2024-01-15 08:00:00 +0200", end: String = "2024-01-15 08:10:00 +0200", extra: String = "",
        children: String? = nil
    ) -> String {
        let unit = unit.map { " unit=\"\($0)\"" } ?? ""
        let value = value.map { " value=\"\($0)\"" } ?? ""
        let tag =
            " <Record type=\"\(type)\" sourceName=\"iPhone\"\(unit) startDate=\"\(start)\" endDate=\"\(end)\"\(value)\(extra)"
        return children.map { "\(tag)>\n\($0)\n </Record>\n" } ?? "\(tag)/>\n"
    }

    /// Returns a heart rate exactly as the Health app writes it.
    static func usualRecord(value: String = "61") -> String {
        """
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" sourceVersion="11.6" \
        device="&lt;&lt;HKDevice: 0x28&gt;, name:Apple Watch&gt;" unit="count/min" \
        creationDate="2024-01-15 08:10:05 +0200" startDate="2024-01-15 08:00:00 +0200" \
        endDate="2024-01-15 08:10:00 +0200" value="\(value)">
          <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="0"/>
         </Record>

        """
    }
}
