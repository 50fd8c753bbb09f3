/// Finds uses of C handles outside the type that owns them: only there may a handle be freed, and only there may it be
/// reached, so that no freed one is.
enum HandleOwners {
    /// The functions that free a handle or work on one that may be freed, and the files of their owners.
    private static let owners: [(function: String, files: Set<String>)] = [
        ("healthsync_tls_", ["Adapters/Receiver/Daemon/Transport.swift"]),
        ("healthsync_poller_", ["Adapters/Receiver/Daemon/Poller.swift"]),
        ("healthsync_read(", ["Adapters/Receiver/Daemon/Transport.swift"]),
        ("healthsync_write(", ["Adapters/Receiver/Daemon/Transport.swift"]),
        ("curl_easy_cleanup", ["Adapters/OutboxHTTP/Sending/CurlHandle.swift"]),
        ("curl_easy_perform", ["Adapters/OutboxHTTP/Sending/CurlHandle.swift"]),
        ("sqlite3_close", ["Adapters/SQLite/Connection/SQLiteConnection.swift"]),
        ("sqlite3_finalize", ["Adapters/SQLite/Connection/SQLiteStatement.swift"]),
        ("PQfinish", ["Adapters/Postgres/Connection/PostgresConnection.swift"]),
        (
            "PQclear",
            [
                "Adapters/Postgres/Connection/PostgresConnection.swift",
                "Adapters/Postgres/Connection/PostgresRows.swift",
            ]
        ),
        ("isal_inflate", ["Adapters/Receiver/HTTP/GzipBody.swift"]),
        ("isal_deflate", ["Adapters/OutboxHTTP/Wire/BatchBody.swift"]),
        ("healthsync_inflate_", ["Adapters/FileSources/Streams/ZipEntryReader.swift"]),
        ("healthsync_hmac_", ["Adapters/System/LibcryptoHasher.swift"]),
    ]

    /// The files of the HTTP server that may close a descriptor.
    private static let socketOwners: Set = [
        "Adapters/Receiver/Daemon/Socket.swift", "Adapters/Receiver/Daemon/Poller.swift",
        "Adapters/Receiver/Daemon/ServiceSocket.swift",
    ]

    /// Returns `path:line: text` for each violation.
    static func violations(in tree: SourceTree) -> [String] {
        tree.files.flatMap { file in
            file.code.enumerated().compactMap { index, line in
                isForbidden(line, in: file.path) ? "\(file.path):\(index + 1): \(file.lines[index])" : nil
            }
        }
    }

    private static func isForbidden(_ line: String, in path: String) -> Bool {
        if owners.contains(where: { line.contains($0.function) && !$0.files.contains(path) }) { return true }
        if path.hasPrefix("Adapters/Receiver/Daemon/"), !socketOwners.contains(path), closesDescriptor(line) {
            return true
        }
        return isSharedHandle(line)
    }

    /// Returns whether a line calls the function `close`, not a method.
    private static func closesDescriptor(_ line: String) -> Bool {
        line.contains("Foundation.close(") || line.contains(" close(descriptor") || line.contains(" close(socket")
    }

    /// Returns whether a line declares a stored handle that other types can reach.
    private static func isSharedHandle(_ line: String) -> Bool {
        guard line.contains(": OpaquePointer"), !["private", "func ", "init("].contains(where: line.contains) else {
            return false
        }
        // Members are indented once; variables of functions more.
        return ["let ", "var ", "package ", "public ", "fileprivate "].contains { line.hasPrefix("    " + $0) }
    }
}
