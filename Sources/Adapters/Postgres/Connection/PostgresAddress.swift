import CHealthSyncPQ
package import HealthSyncDomain

/// The address of a database in libpq's form: a URI or `keyword=value` pairs, completed by libpq's environment
/// variables and password file.
package struct PostgresAddress: Sendable {
    /// The address. It may contain a password and is never shown.
    let conninfo: String
    /// The part of the address that may be shown.
    package let description: String
    /// The number of seconds after which the server ends a statement; 0 for no limit.
    package var statementTimeout = 0

    /// Parses an address.
    /// - Throws: `SyncFailure` with `.usage` if libpq cannot parse it; the failure does not contain the text.
    package init(_ conninfo: String) throws(SyncFailure) {
        guard let words = Self.words(of: conninfo) else {
            throw SyncFailure(
                .usage, subject: "--store", reason: "invalid PostgreSQL address",
                advice: "use postgres://USER@HOST/DATABASE; in a URI, encode special characters as %XX")
        }
        self.conninfo = conninfo
        let database = words["dbname"] ?? words["user"] ?? "default database"
        description = "PostgreSQL \(database) at \(words["host"] ?? words["hostaddr"] ?? "the local socket")"
    }

    private static func words(of conninfo: String) -> [String: String]? {
        // libpq's error message is not requested, because it repeats the text and with it the password.
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
