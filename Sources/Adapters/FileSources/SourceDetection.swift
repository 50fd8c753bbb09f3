import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// Tells which format a path holds by what stands in it, never by its name.
package struct SourceDetection: Sendable {
    /// Makes the source for an Apple Health export at a path, or `nil` when there is none. Asked for folders, archives
    /// and XML files.
    package typealias AppleHealthProbe = @Sendable (_ path: String) throws -> (any HealthDataSource)?

    // Enough for an XML prologue and for the first members of a JSON object.
    private static let headLength = 1 << 16

    private let hasher: any ContentHasher
    private let clock: DayClock?
    private let appleHealth: AppleHealthProbe

    /// Sources get `hasher` and `clock`; `appleHealth` finds Apple Health exports.
    package init(hasher: any ContentHasher, clock: DayClock? = nil, appleHealth: @escaping AppleHealthProbe) {
        self.hasher = hasher
        self.clock = clock
        self.appleHealth = appleHealth
    }

    /// The source at `path`.
    ///
    /// Throws `.noInput` where there is nothing or nothing may be read, `.badInput` where nothing is recognised.
    package func source(at path: String) async throws -> any HealthDataSource {
        try await OffloadedWork.run { _ in
            let found = try FileStatus(path: path).isFolder ? try inFolder(path) : try inFile(path)
            guard let found else { throw notRecognised(path) }
            return found
        }
    }

    private func inFolder(_ path: String) throws -> (any HealthDataSource)? {
        if let export = try appleHealth(path) { return export }
        let isFeed = try HealthAutoExportFolder(path).paths.contains {
            try HealthAutoExportFile(ReadableFile(path: $0).bytes(at: 0, count: Self.headLength)).form == .feed
        }
        return isFeed ? HealthAutoExportSource(path: path, hasher: hasher, clock: clock) : nil
    }

    private func inFile(_ path: String) throws -> (any HealthDataSource)? {
        let head = try ReadableFile(path: path).bytes(at: 0, count: Self.headLength)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = head.dropFirst(head.starts(with: mark) ? mark.count : 0).drop { $0 <= 0x20 }
        switch text.first {
        case UInt8(ascii: "{"):
            if HealthAutoExportFile(Array(text)).form == .feed {
                return HealthAutoExportSource(path: path, hasher: hasher, clock: clock)
            }
        case UInt8(ascii: "<"), UInt8(ascii: "P"):
            if let export = try appleHealth(path) { return export }
        default: break
        }
        return holdsSample(text) ? JSONLinesSource(path: path, hasher: hasher) : nil
    }

    /// Whether one of the first lines is an object with the members of a sample.
    private func holdsSample(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: 0x0A).prefix(100).contains { line in
            var cursor = JSONCursor(Array(line))
            do throws(JSONCursor.Broken) {
                guard try cursor.enterObject() else { return false }
                var isFirst = true
                while let name = try cursor.nextMember(first: isFirst) {
                    if name == "startDate" || name == "sourceBundleId" { return true }
                    isFirst = false
                    _ = try cursor.skipValue()
                }
                return false
            } catch {
                return false
            }
        }
    }

    private func notRecognised(_ path: String) -> SyncFailure {
        SyncFailure(
            .badInput, subject: path, reason: "is no source that is understood",
            advice: "looked for an Apple Health export (zip, XML or unzipped folder), JSON files of Health Auto Export "
                + "and JSON lines of samples")
    }
}
