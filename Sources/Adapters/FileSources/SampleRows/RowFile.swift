import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport
import Synchronization

/// The output file of a row writer, written as a draft in the same folder and moved into place when complete.
///
/// A device or pipe (`/dev/stdout`) is written directly.
final class RowFile: Sendable {
    private enum Writing {
        case draft(FileDraft)
        /// The destination is written directly.
        case stream(OpenFile)
    }

    private let path: String
    private let writing = Mutex<Writing?>(nil)

    init(path: String) { self.path = path }

    func begin(header: [UInt8]) throws {
        if !isStream, FileDetails.exist(path) { throw FileFailure.exists(path) }
        let begun: Writing
        do throws(SystemError) { begun = try opening() } catch { throw FileFailure.cannotCreate(path, error.text) }
        writing.withLock { $0 = begun }
        try write(header)
    }

    private func opening() throws(SystemError) -> Writing {
        if !isStream { return .draft(try FileDraft(of: path)) }
        // Opening the path again would write at the start of a file that the shell opened to append.
        return .stream(
            path == "/dev/stdout" ? try OpenFile(duplicateOf: STDOUT_FILENO) : try OpenFile(writing: path))
    }

    func write(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        let begun = try opened()
        do throws(SystemError) {
            switch begun {
            case .draft(let draft): try draft.file.write(bytes)
            case .stream(let file): try file.write(bytes)
            }
        } catch {
            // The reader of a pipe (`| head`) has read what it wanted.
            if case .stream = begun, error.code == EPIPE { throw RowReaderClosed() }
            throw cannotWrite(error)
        }
    }

    func finish() throws {
        let begun = try opened()
        var isNew = true
        do throws(SystemError) {
            switch begun {
            case .draft(let draft): isNew = try draft.createTarget()
            case .stream(let file): try file.close()
            }
        } catch {
            throw cannotWrite(error)
        }
        guard isNew else { throw FileFailure.exists(path) }
        writing.withLock { $0 = nil }
    }

    func discard() {
        let begun = writing.withLock { writing in
            defer { writing = nil }
            return writing
        }
        if case .draft(let draft) = begun { draft.discard() }
    }

    private func opened() throws(SyncFailure) -> Writing {
        guard let begun = writing.withLock({ $0 }) else {
            throw SyncFailure(
                .unexpected, subject: path, reason: "the export is not open",
                advice: "report this as a bug")
        }
        return begun
    }

    private var isStream: Bool {
        if path == "/dev/stdout" || path.hasPrefix("/dev/fd/") { return true }
        guard let details = try? FileDetails(of: path) else { return false }
        return !details.isRegular && !details.isFolder
    }

    private func cannotWrite(_ error: SystemError) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "cannot be written: \(error.text)",
            advice: "free some space, or choose a file on another disk")
    }
}
