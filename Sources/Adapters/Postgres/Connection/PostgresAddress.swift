import CHealthSyncPQ
package import HealthSyncDomain

/// Which database, as libpq understands it: a URI or `keyword=value` pairs, completed by its environment variables and
/// password file.
package struct PostgresAddress: Sendable {
    /// The text itself; it may hold a password and is never shown.
    let conninfo: String
    /// What may be shown of it.
    package let description: String

    /// - Throws: `SyncFailure` with `.usage` where libpq cannot read it; the text is not repeated.
    package init(_ conninfo: String) throws(SyncFailure) {
        guard let words = Self.words(of: conninfo) else {
            throw SyncFailure(
                .usage, subject: "--store", reason: "libpq cannot read this address",
                advice: "write it as postgres://USER@HOST/DATABASE; in a URI encode special characters as %XX")
        }
        self.conninfo = conninfo
        let database = words["dbname"] ?? words["user"] ?? "default database"
        description = "PostgreSQL \(database) at \(words["host"] ?? words["hostaddr"] ?? "the local socket")"
    }

    private static func words(of conninfo: String) -> [String: String]? {
        // The message of a failure repeats the text and with it the password: it is not asked for.
        guard let options = unsafe PQconninfoParse(conninfo, nil) else { return nil }
        defer { unsafe PQconninfoFree(options) }
        var words: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe words[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return words
    }
}
