import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// CSV files of samples, given as a path or as `csv:/path/to/file`.
public struct CSVFormat: HealthSourceFormat {
    /// The first line of such a file, by which it is recognized.
    static let header = "type,source,start,end,value,unit"

    /// Creates the format.
    public init() {}

    /// The name in messages.
    public var name: String { "CSV file of samples" }
    /// The scheme of URLs.
    public var schemes: [String] { ["csv"] }

    /// Returns the file at `location` if it has the header.
    public func sources(at location: String, in context: SourceContext) async throws -> FoundSources? {
        let isURL = !location.hasPrefix("/")
        // A relative path in a URL is below the working directory.
        let path = isURL ? URL(fileURLWithPath: String(location.dropFirst("csv:".count))).path : location
        let isCSV = try await BlockingWork.run { _ in
            LineReader.firstLine(of: path) == Self.header
        }
        // A URL with this scheme is always for this format, so that reading it reports the problem.
        return isCSV || isURL ? FoundSources([CSVSource(path: path, clock: context.clock)]) : nil
    }
}
