import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// A regular file that is read, with the failures that a person may meet.
struct SourceFile {
    let path: String
    let size: Int64
    /// Seconds since 1970.
    let modified: Double

    /// Finds the file at `path`.
    ///
    /// Throws `.noInput` where there is none and `.badInput` where it is no regular file: opening a pipe would block.
    init(_ path: String) throws {
        let attributes = try Self.attributes(path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw SyncFailure(
                .badInput, subject: path, reason: "is not a regular file", advice: "name a file that was exported")
        }
        self.path = path
        size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        modified = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    }

    static func isFolder(_ path: String) throws -> Bool {
        try attributes(path)[.type] as? FileAttributeType == .typeDirectory
    }

    func open() throws -> FileHandle {
        do {
            return try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch {
            throw Self.unreadable(path, error)
        }
    }

    /// Up to `count` bytes of the file from `offset`; what was appended since the file was found is left for later.
    func bytes(at offset: Int64 = 0, count: Int) throws -> [UInt8] {
        let handle = try open()
        defer { try? handle.close() }
        do {
            try handle.seek(toOffset: UInt64(max(0, offset)))
            let count = min(count, Int(clamping: max(0, size - offset)))
            var bytes: [UInt8] = []
            while bytes.count < count, let chunk = try handle.read(upToCount: min(count - bytes.count, 1 << 20)),
                !chunk.isEmpty
            {
                bytes.append(contentsOf: chunk)
            }
            return bytes
        } catch {
            throw Self.unreadable(path, error)
        }
    }

    /// Size, time of change and both ends of the file: tells two contents apart without reading the middle.
    func fingerprint(_ hasher: any ContentHasher) throws -> String {
        let end = 1 << 16
        let bytes = try bytes(count: end) + bytes(at: max(0, size - Int64(end)), count: end)
        return "\(size) \(modified) \(SampleID(version5: hasher.digest(bytes)))"
    }

    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    static func unreadable(_ path: String, _ error: any Error) -> SyncFailure {
        SyncFailure(
            .noInput, subject: path, reason: "cannot be read: \(describe(error))",
            advice: "check the path and its permissions")
    }

    private static func attributes(_ path: String) throws -> [FileAttributeKey: Any] {
        do {
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return try FileManager.default.attributesOfItem(atPath: resolved)
        } catch {
            throw SyncFailure(
                .noInput, subject: path, reason: "there is no such file or folder, or it may not be read",
                advice: "check the path and its permissions")
        }
    }

    static func describe(_ error: any Error) -> String {
        let error = error as NSError
        let posix = error.domain == NSPOSIXErrorDomain ? error : error.userInfo[NSUnderlyingErrorKey] as? NSError
        if let posix, posix.domain == NSPOSIXErrorDomain { return unsafe String(cString: strerror(Int32(posix.code))) }
        return error.localizedDescription
    }
}
