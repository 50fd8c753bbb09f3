import Foundation
import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The output file of a row writer, written as a draft in the same folder and moved into place when complete.
///
/// A device or pipe (`/dev/stdout`) is written directly.
final class RowFile: Sendable {
    private struct Writing {
        let handle: FileHandle
        /// `nil` if the destination is written directly.
        let draftPath: String?
    }

    private let path: String
    private let files: any LocalFiles
    private let writing = Mutex<Writing?>(nil)

    init(path: String, files: any LocalFiles) {
        self.path = path
        self.files = files
    }

    func begin(header: [UInt8]) throws {
        let draft: LocalDraft?
        if isStream {
            draft = nil
        } else {
            try rejectExisting()
            draft = try files.createDraft(of: path)
        }
        let descriptor =
            if let draft {
                draft.descriptor
            } else if path == "/dev/stdout" {
                // Opening the path again would write at the start of a file that the shell opened to append.
                fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
            } else {
                unsafe open(path, O_WRONLY | O_CLOEXEC)
            }
        guard descriptor >= 0 else { throw FileFailure.cannotCreate(path, Self.reason(errno)) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        writing.withLock { $0 = Writing(handle: handle, draftPath: draft?.path) }
        try write(header)
    }

    func write(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        let file = try opened()
        do { try file.handle.write(contentsOf: Data(bytes)) } catch {
            // The reader of a pipe (`| head`) has read what it wanted.
            if file.draftPath == nil, Self.code(of: error) == EPIPE { throw RowReaderClosed() }
            throw cannotWrite(error)
        }
    }

    func finish() throws {
        let file = try opened()
        if let draftPath = file.draftPath {
            do { try file.handle.synchronize() } catch { throw cannotWrite(error) }
            guard try files.putInPlace(draftPath, as: path) else { throw FileFailure.exists(path) }
        }
        do { try file.handle.close() } catch { throw cannotWrite(error) }
        writing.withLock { $0 = nil }
    }

    func discard() {
        let file = writing.withLock { writing in
            defer { writing = nil }
            return writing
        }
        try? file?.handle.close()
        if let draftPath = file?.draftPath { unsafe unlink(draftPath) }
    }

    private func opened() throws -> Writing {
        guard let file = writing.withLock({ $0 }) else {
            throw SyncFailure(
                .unexpected, subject: path, reason: "the export is not open",
                advice: "report this as a bug")
        }
        return file
    }

    private var isStream: Bool {
        if path == "/dev/stdout" || path.hasPrefix("/dev/fd/") { return true }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    private func rejectExisting() throws {
        if (try? FileManager.default.attributesOfItem(atPath: path)) != nil { throw FileFailure.exists(path) }
    }

    private func cannotWrite(_ error: any Error) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "cannot be written: \(Self.reason(error))",
            advice: "free some space, or choose a file on another disk")
    }

    private static func reason(_ error: any Error) -> String {
        code(of: error).map(reason) ?? error.localizedDescription
    }

    private static func code(of error: any Error) -> Int32? {
        let error = error as NSError
        let posix = error.domain == NSPOSIXErrorDomain ? error : error.userInfo[NSUnderlyingErrorKey] as? NSError
        guard let posix, posix.domain == NSPOSIXErrorDomain else { return nil }
        return Int32(posix.code)
    }

    private static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
