import Foundation
import HealthSyncDomain
package import HealthSyncPorts

/// Finds the format of a location and opens its sources.
package struct SourceDetection: Sendable {
    private let formats: [any HealthSourceFormat]

    /// Creates a detection that asks `formats` in their order.
    package init(formats: [any HealthSourceFormat]) { self.formats = formats }

    /// Returns the sources at `location`: a file belongs to the first format that recognizes it, a folder to all that
    /// do.
    ///
    /// - Parameter location: an absolute path, or a URL.
    /// - Throws: `.noInput` if nothing is there or it cannot be read, `.badInput` if no format recognizes it.
    package func sources(at location: String, in context: SourceContext) async throws -> FoundSources {
        guard location.hasPrefix("/") else { return try await sources(atURL: location, in: context) }
        let isFolder = try await BlockingWork.run { _ in try FileStatus(path: location).isFolder }
        var found = FoundSources()
        for format in formats {
            guard let more = try await format.sources(at: location, in: context) else { continue }
            found.add(more)
            if !isFolder { break }
        }
        if isFolder, found.sources.isEmpty, found.unread.isEmpty, try await isEmpty(location) {
            throw SyncFailure(
                .badInput, subject: location, reason: "the folder is empty",
                advice: "put an export or the files of a phone app there")
        }
        return try requireSource(found, at: location)
    }

    private func sources(atURL location: String, in context: SourceContext) async throws -> FoundSources {
        let scheme = SourceURL.scheme(of: location) ?? ""
        let candidates = formats.filter { $0.schemes.contains(scheme) }
        guard !candidates.isEmpty else {
            let schemes = formats.flatMap(\.schemes).sorted().map { "\($0):" }.joined(separator: ", ")
            throw SyncFailure(
                .noInput, subject: location,
                reason: "no such file, and no source format has the URL scheme \"\(scheme)\"",
                advice: "give the path of a file or folder"
                    + (schemes.isEmpty ? "" : ", or a URL that begins with \(schemes)"))
        }
        for format in candidates {
            if let found = try await format.sources(at: location, in: context) {
                return try requireSource(found, at: location)
            }
        }
        throw notRecognized(location, by: candidates)
    }

    private func isEmpty(_ folder: String) async throws -> Bool {
        try await BlockingWork.run { _ in
            try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
        }
    }

    private func requireSource(_ found: FoundSources, at location: String) throws(SyncFailure) -> FoundSources {
        guard found.sources.isEmpty else { return found }
        guard let unread = found.unread.first else { throw notRecognized(location, by: formats) }
        throw SyncFailure(.badInput, subject: unread.path, reason: unread.reason, advice: unread.advice)
    }

    private func notRecognized(_ location: String, by formats: [any HealthSourceFormat]) -> SyncFailure {
        SyncFailure(
            .badInput, subject: location, reason: "not a source of a supported format",
            advice: "supported: " + formats.map(\.name).joined(separator: ", "))
    }
}
