/// Finds uses of C handles outside the type that owns them: only there may a handle be freed, and only there may it be
/// reached, so that no freed one is.
enum HandleOwners {
    /// A type in the file that declares it.
    private struct Owner: Hashable {
        let path: String
        let type: Substring

        init(_ path: String, _ type: Substring) { (self.path, self.type) = (path, type) }
    }

    private static let openFile = Owner("Adapters/Support/OpenFile.swift", "OpenFile")

    /// The functions that free a handle or work on one that may be freed, and their owners.
    private static let owners: [(function: String, types: Set<Owner>)] = [
        (
            "healthsync_tls_",
            [
                Owner("Adapters/Receiver/Daemon/Transport.swift", "TLSSession"),
                Owner("Adapters/Receiver/Daemon/Transport.swift", "TLSContext"),
            ]
        ),
        ("healthsync_poller_", [Owner("Adapters/Receiver/Daemon/Poller.swift", "Poller")]),
        ("healthsync_read(", [Owner("Adapters/Receiver/Daemon/Transport.swift", "Transport")]),
        ("healthsync_write(", [Owner("Adapters/Receiver/Daemon/Transport.swift", "Transport")]),
        ("curl_easy_cleanup", [Owner("Adapters/OutboxHTTP/Sending/CurlHandle.swift", "CurlHandle")]),
        ("curl_easy_perform", [Owner("Adapters/OutboxHTTP/Sending/CurlHandle.swift", "CurlHandle")]),
        ("sqlite3_close", [Owner("Adapters/SQLite/Connection/SQLiteConnection.swift", "SQLiteConnection")]),
        ("sqlite3_finalize", [Owner("Adapters/SQLite/Connection/SQLiteStatement.swift", "SQLiteStatement")]),
        ("PQfinish", [Owner("Adapters/Postgres/Connection/PostgresConnection.swift", "PostgresConnection")]),
        (
            "PQclear",
            [
                Owner("Adapters/Postgres/Connection/PostgresConnection.swift", "PostgresConnection"),
                Owner("Adapters/Postgres/Connection/PostgresRows.swift", "PostgresRows"),
            ]
        ),
        ("isal_inflate", [Owner("Adapters/Support/Gzip.swift", "GzipInflation")]),
        ("isal_deflate", [Owner("Adapters/Support/Gzip.swift", "Gzip")]),
        (
            "unsafe open(",
            [
                openFile,
                // Read by several threads at once.
                Owner("Adapters/FileSources/Streams/ReadableFile.swift", "ReadableFile"),
            ]
        ),
        ("flock(", [openFile]),
        ("fsync(", [openFile]),
        ("ftruncate(", [openFile]),
        ("healthsync_inflate_", [Owner("Adapters/FileSources/Streams/ZipEntryReader.swift", "ZipEntryReader")]),
        ("healthsync_hmac_", [Owner("Adapters/System/LibcryptoHasher.swift", "LibcryptoMessageCode")]),
    ]

    /// The types of the HTTP server that may close a descriptor.
    private static let socketOwners: Set = [
        Owner("Adapters/Receiver/Daemon/Socket.swift", "Socket"),
        Owner("Adapters/Receiver/Daemon/Poller.swift", "Poller"),
        Owner("Adapters/Receiver/Daemon/ServiceSocket.swift", "ServiceNotifier"),
    ]

    /// Returns `path:line: text` for each violation.
    static func violations(in tree: SourceTree) -> [String] {
        tree.files.flatMap { file in
            zip(file.code, file.enclosingTypes).enumerated().compactMap { index, line in
                isForbidden(line.0, in: Owner(file.path, line.1))
                    ? "\(file.path):\(index + 1): \(file.lines[index])" : nil
            }
        }
    }

    private static func isForbidden(_ line: String, in place: Owner) -> Bool {
        if owners.contains(where: { line.contains($0.function) && !$0.types.contains(place) }) { return true }
        let isInServer = place.path.hasPrefix("Adapters/Receiver/Daemon/")
        if isInServer, !socketOwners.contains(place), closesDescriptor(line) { return true }
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
