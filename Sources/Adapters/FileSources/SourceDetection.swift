import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// Tells which format a path holds by what stands in it, never by its name.
package struct SourceDetection: Sendable {
    /// Finds the Apple Health export at a path. Asked for folders, archives and XML files.
    package typealias AppleHealthProbe = @Sendable (_ path: String) throws -> FoundSources

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

    /// The sources at `path`: one, or in a folder an export and a feed that stand side by side.
    ///
    /// Throws `.noInput` where there is nothing or nothing may be read, `.badInput` where nothing is recognised.
    package func sources(at path: String) async throws -> FoundSources {
        try await OffloadedWork.run { _ in
            let found = try FileStatus(path: path).isFolder ? try inFolder(path) : try inFile(path)
            guard found.sources.isEmpty else { return found }
            if let unread = found.unread.first {
                throw SyncFailure(.badInput, subject: unread.path, reason: unread.reason, advice: unread.advice)
            }
            throw notRecognised(path)
        }
    }

    private func inFolder(_ path: String) throws -> FoundSources {
        var found = try appleHealth(path)
        let isFeed = try HealthAutoExportFolder(path).paths.contains {
            try HealthAutoExportFile(ReadableFile(path: $0).bytes(at: 0, count: Self.headLength)).form == .feed
        }
        if isFeed {
            found.sources.append(HealthAutoExportSource(path: path, hasher: hasher, clock: clock))
        }
        return found
    }

    private func inFile(_ path: String) throws -> FoundSources {
        let head = try ReadableFile(path: path).bytes(at: 0, count: Self.headLength)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = head.dropFirst(head.starts(with: mark) ? mark.count : 0).drop { $0 <= 0x20 }
        switch text.first {
        case UInt8(ascii: "{"):
            if HealthAutoExportFile(Array(text)).form == .feed {
                return FoundSources([HealthAutoExportSource(path: path, hasher: hasher, clock: clock)])
            }
        case UInt8(ascii: "<"), UInt8(ascii: "P"):
            let found = try appleHealth(path)
            if !found.sources.isEmpty { return found }
        default: break
        }
        return FoundSources(holdsSample(text) ? [JSONLinesSource(path: path, hasher: hasher)] : [])
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
