import Dispatch
import Foundation
import HealthSyncDomain

/// A JSON line for every request, appended to a file: no health values, no tokens, nothing that a client wrote.
package final class AccessLog: RequestObserver {
    private let descriptor: Int32
    // Writing to a file may block; the thread that tells of a request must not.
    private let queue = DispatchQueue(label: "healthsync.access-log")

    /// Appends to the file at `path`, made (0600) where it is missing.
    ///
    /// - Throws: `SyncFailure` with `.cannotCreate`.
    package init(path: String) throws {
        descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SyncFailure(
                .cannotCreate, subject: path, reason: unsafe String(cString: strerror(errno)),
                advice: "give another file with --access-log")
        }
    }

    deinit { close(descriptor) }

    package func note(_ request: ObservedRequest) {
        let line = Self.line(request)
        queue.async { [descriptor] in
            // A line that cannot be written is lost: the log must never stop the server.
            _ = unsafe line.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    private static func line(_ request: ObservedRequest) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("time")
        writer.time(request.startedAt)
        writer.name("remote")
        writer.string(request.remoteAddress)
        writer.name("operation")
        writer.string(request.operation)
        writer.name("status")
        writer.integer(request.status)
        writer.name("body_bytes")
        writer.integer(request.bodyBytes)
        writer.name("milliseconds")
        writer.integer(request.endedAt.milliseconds - request.startedAt.milliseconds)
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}
