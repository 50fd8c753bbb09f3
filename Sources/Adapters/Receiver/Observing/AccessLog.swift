import Dispatch
import Foundation
import HealthSyncDomain
import HealthSyncSupport

/// Appends a JSON line for each request to a file. The lines contain no health values, no tokens and nothing else that
/// a client sent, except its address.
package final class AccessLog: RequestObserver {
    private let file: OpenFile
    // Writing to a file may block, and the thread that reports a request must not.
    private let queue = DispatchQueue(label: "healthsync.access-log")

    /// Opens the file at `path` for appending; creates it with mode 0600 if it does not exist.
    ///
    /// - Throws: `SyncFailure` with `.cannotCreate`.
    package init(path: String) throws {
        do throws(SystemError) { file = try OpenFile(appendingTo: path) } catch {
            throw SyncFailure(
                .cannotCreate, subject: path, reason: error.text, advice: "choose another file with --access-log")
        }
    }

    deinit {
        // The lines of the last requests may still be in the queue.
        queue.sync {}
    }

    package func observe(_ request: ObservedRequest) {
        let line = Self.line(request)
        queue.async { [file] in
            // Errors are ignored: the log must never stop the server.
            try? file.write(line)
        }
    }

    private static func line(_ request: ObservedRequest) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("time")
        writer.time(request.startedAt)
        writer.name("level")
        writer.string(request.status >= 500 || request.status == 0 ? "error" : "info")
        writer.name("request")
        writer.integer(request.number)
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
