import Foundation
import Synchronization

/// A file of JSON lines to which batches are appended, each as a whole and once.
///
/// Every line contains the key of its batch, and the last line of a batch is marked. Lines after the last mark belong
/// to a batch that was interrupted; they are removed before the next batch is appended.
final class NDJSONFile: Sendable {
    /// Why a batch was not appended.
    enum Problem: Error {
        /// A temporary problem.
        case temporary(String)
        /// A problem that the user must solve.
        case permanent(String)
    }

    /// The state of the file when it was last read or written.
    private struct Contents {
        /// The keys of the complete batches.
        var keys: Set<String> = []
        /// The end of the last complete batch.
        var end: UInt64 = 0
    }

    private let path: String
    private let known = Mutex(Contents())
    /// Reading and writing block, so they must not run on the threads of Swift's tasks.
    private let queue = DispatchQueue(label: "NDJSONFile")

    init(path: String) { self.path = path }

    /// Appends `lines`, unless a batch with this key is in the file. Returns when the batch is stored durably.
    func append(_ lines: [[UInt8]], under key: String) async throws(Problem) {
        let result: Result<Void, Problem> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: self.known.withLock { self.append(lines, under: key, to: &$0) })
            }
        }
        try result.get()
    }

    private func append(_ lines: [[UInt8]], under key: String, to known: inout Contents) -> Result<Void, Problem> {
        let handle: FileHandle
        do {
            handle = try opened()
        } catch {
            return .failure(error)
        }
        do {
            // Another process may have written since, or the user may have replaced the file.
            if try handle.seekToEnd() != known.end { known = try Self.contents(of: handle) }
            if !known.keys.contains(key) {
                let text = Self.text(of: lines, under: key)
                try handle.truncate(atOffset: known.end)
                try handle.seek(toOffset: known.end)
                try handle.write(contentsOf: text)
                known.end += UInt64(text.count)
                known.keys.insert(key)
            }
            // Also for a batch that is already in the file, because its first attempt may have ended before this.
            try handle.synchronize()
            try handle.close()
            return .success(())
        } catch {
            known = Contents()
            return .failure(.temporary("\(path) cannot be written (\(error.localizedDescription))"))
        }
    }

    /// Opens the file and locks it until it is closed.
    private func opened() throws(Problem) -> FileHandle {
        if !FileManager.default.fileExists(atPath: path) {
            // Health data: readable by the user only.
            let isCreated = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            guard isCreated else { throw .permanent("\(path) cannot be created") }
            let folder = FileHandle(forReadingAtPath: (path as NSString).deletingLastPathComponent)
            try? folder?.synchronize()
        }
        guard let handle = FileHandle(forUpdatingAtPath: path) else { throw .permanent("\(path) cannot be opened") }
        guard flock(handle.fileDescriptor, LOCK_EX) == 0 else { throw .temporary("\(path) cannot be locked") }
        return handle
    }

    private static func text(of lines: [[UInt8]], under key: String) -> Data {
        var text = Data()
        for (index, line) in lines.enumerated() {
            text += Data(#"{"batch":"\#(key)","last":\#(index == lines.count - 1),"record":"#.utf8)
            text += line
            text += Data("}\n".utf8)
        }
        return text
    }

    private static func contents(of handle: FileHandle) throws -> Contents {
        try handle.seek(toOffset: 0)
        let text = try handle.readToEnd() ?? Data()
        var contents = Contents()
        var place = text.startIndex
        while let newline = text[place...].firstIndex(of: UInt8(ascii: "\n")) {
            let head = String(decoding: text[place..<newline].prefix(80), as: UTF8.self)
            place = newline + 1
            let parts = head.split(separator: "\"")
            // {"batch":"KEY","last":true,"record":…
            guard parts.count > 6, parts[1] == "batch", parts[5] == "last", parts[6] == ":true," else { continue }
            contents.keys.insert(String(parts[3]))
            contents.end = UInt64(place)
        }
        return contents
    }
}
