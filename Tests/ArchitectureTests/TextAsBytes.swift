/// Finds operations that read text by characters, or use it as a key, in the adapters that read protocols and databases.
///
/// `String` divides text into grapheme clusters, maps letters by Unicode and treats canonically equivalent text as equal. Peers
/// and databases read bytes: the difference let a client choose its address, and merged names. Such text is read with
/// `StringProtocol+Bytes`, and keys are `ExactText`.
enum TextAsBytes {
    /// A place that may use an operation, because its text is not of a peer.
    struct Allowed {
        let path: String
        /// The type at the top level of the file in which the operation is allowed.
        let type: Substring
        let operation: String
        let reason: String

        init(_ path: String, in type: Substring, _ operation: String, _ reason: String) {
            (self.path, self.type, self.operation, self.reason) = (path, type, operation, reason)
        }

        func covers(_ place: Place) -> Bool {
            place.path == path && place.type == type && place.operation == operation
        }
    }

    private static let folders = [
        "Adapters/Receiver/", "Adapters/OutboxHTTP/", "Adapters/SQLite/", "Adapters/Postgres/",
    ]

    /// What must not be in a line. Quotation marks are those of literals.
    private static let operations = [
        ".lowercased(", ".uppercased(", ".capitalized", ".caseInsensitiveCompare", ".localized", ".split(separator: \"",
        ".split(maxSplits", ".split(whereSeparator", ".components(", ".trimmingCharacters(", ".trimmingPrefix(",
        ".hasPrefix(", ".hasSuffix(", ".isWhitespace", ".isLetter", ".isNumber", ".isNewline", ".isHexDigit",
        ".withoutOuterSpaces", ".withoutEnds", ".range(of:", ".firstRange(of: \"", ".firstIndex(of: \"",
        ".lastIndex(of: \"", ".contains(\"", ".replacing(\"", ".replacingOccurrences", "{ $0 == \"", "{ $0 != \"",
        "[String:", "[String :", "Set<String>",
    ]

    private static let constants = "constants of this program"
    private static let checked = "ASCII only, which was checked before"

    private static let allowed = [
        Allowed("Adapters/Receiver/Access/FailedLoginThrottle.swift", in: "FailedLoginThrottle", "[String:", checked),
        Allowed("Adapters/Receiver/Access/Authenticator.swift", in: "Authenticator", "[String:", checked),
        Allowed("Adapters/Receiver/Daemon/DaemonContext.swift", in: "RequestRate", "[String:", checked),
        Allowed("Adapters/Receiver/Daemon/ConnectionTable.swift", in: "ConnectionTable", "[String:", checked),
        Allowed("Adapters/Receiver/Inbox/SignedBodies.swift", in: "SignedBodies", "[String:", checked),
        Allowed(
            "Adapters/Receiver/Archive/FileInboxArchive.swift", in: "FileInboxArchive", "Set<String>",
            "ids that this program made"),
        Allowed(
            "Adapters/Receiver/Archive/ArchiveFiles.swift", in: "PostIDs", "{ $0 != \"",
            "a time that this program formatted"),
        Allowed(
            "Adapters/Receiver/Archive/ArchivedBody.swift", in: "ArchivedHead", "[String:", "the form of the archive"),
        Allowed(
            "Adapters/Receiver/Inbox/DeviceCredentials.swift", in: "DeviceCredentials", "[String:",
            "the form of the archive"),
        Allowed(
            "Adapters/Receiver/HTTP/RequestTarget.swift", in: "QueryParameters", "[String:", "the form of the archive"),
        Allowed(
            "Adapters/Receiver/Daemon/ServiceSocket.swift", in: "ServiceSocket", "[String:",
            "environment variables, by constant names"),
        Allowed(
            "Adapters/Receiver/Daemon/ServiceSocket.swift", in: "ServiceNotifier", "[String:",
            "environment variables, by constant names"),
        Allowed("Adapters/Receiver/Observing/ServerMetrics.swift", in: "ServerMetrics", "[String:", constants),
        Allowed("Adapters/Receiver/Routes/OpenAPIDocument.swift", in: "OpenAPIDocument", ".uppercased(", constants),
        Allowed("Adapters/Receiver/Routes/OpenAPIDocument.swift", in: "OpenAPIDocument", ".isLetter", constants),
        Allowed("Adapters/Receiver/Routes/OpenAPIDocument.swift", in: "OpenAPIDocument", ".isNumber", constants),
        Allowed("Adapters/Receiver/Routes/ReceiverAPI.swift", in: "ReceiverAPI", ".contains(\"", constants),
        Allowed(
            "Adapters/Receiver/Routes/ReceiverAPI.swift", in: "APICall", "[String:",
            "parameters of a path, by constant names"),
        Allowed(
            "Adapters/Receiver/Routes/Routing/Operation.swift", in: "Operation", "[String:",
            "parameters of a path, by constant names"),
        Allowed(
            "Adapters/Receiver/Routes/Routing/Operation.swift", in: "RouteTable", "[String:",
            "parameters of a path, by constant names"),
        Allowed(
            "Adapters/Receiver/Routes/Routing/APIRequest.swift", in: "APIRequest", "[String:",
            "parameters of a path, by constant names"),
        Allowed(
            "Adapters/OutboxHTTP/Answers/AnswerReader.swift", in: "AnswerReader", "[String:",
            "JSON, from which constant names are read"),
        Allowed("Adapters/SQLite/Database/SQLiteReader.swift", in: "SQLiteReader", "[String:", constants),
        Allowed(
            "Adapters/SQLite/Database/ReferenceRows.swift", in: "TypeDefinitionText", "[String:",
            "units of definitions, in public values"),
        Allowed(
            "Adapters/SQLite/Records/SQLiteSyncIntervalStore.swift", in: "SQLiteSyncIntervalStore", "[String:",
            "addresses that the user set"),
        Allowed("Adapters/SQLite/Records/ZoneRows.swift", in: "ZoneRows", "[String:", "names of IANA zones"),
        Allowed(
            "Adapters/SQLite/Records/SQLiteSyncTrackingStore.swift", in: "SQLiteSyncTrackingStore", "[String:",
            "names of IANA zones, and keys that this program made"),
        Allowed("Adapters/SQLite/Rows/RemovedRows.swift", in: "RemovedRows", "[String:", "keys that this program made"),
        Allowed("Adapters/SQLite/SQLiteSnapshot.swift", in: "SQLiteSnapshot", "{ $0 != \"", "messages of SQLite"),
        Allowed("Adapters/SQLite/SQLiteDatabase.swift", in: "SQLiteDatabase", "{ $0 != \"", "messages of SQLite"),
        Allowed("Adapters/SQLite/Migrations/Migrations0002To0009.swift", in: "Migration", ".uppercased(", constants),
        Allowed("Adapters/SQLite/Migrations/Migrations0010To0021.swift", in: "Migration", ".uppercased(", constants),
        Allowed(
            "Adapters/SQLite/Migrations/Migration0014SampleIdentity.swift", in: "IdentityConversion", "Set<String>",
            "names of providers, which are constants"),
        Allowed(
            "Adapters/Postgres/Connection/PostgresAddress.swift", in: "PostgresAddress", "[String:", "keywords of libpq"
        ),
        Allowed(
            "Adapters/Postgres/Connection/PostgresConnection.swift", in: "PostgresConnection", "[String:", constants),
        Allowed(
            "Adapters/Postgres/Connection/PostgresConnection.swift", in: "PostgresConnection", ".split(whereSeparator",
            "messages for people"),
        Allowed(
            "Adapters/Postgres/Connection/PostgresConnection.swift", in: "PostgresConnection", ".trimmingPrefix(",
            "messages for people"),
        Allowed(
            "Adapters/Postgres/Connection/PostgresConnection.swift", in: "PostgresConnection", ".isNewline",
            "messages for people"),
        Allowed(
            "Adapters/Postgres/Connection/PostgresConnection.swift", in: "PostgresConnection", ".isWhitespace",
            "messages for people"),
    ]

    /// Lines that are violations.
    static let planted = [
        ("Adapters/Receiver/A.swift", #"let last = header.split(separator: ",").last"#),
        ("Adapters/Receiver/HTTP/A.swift", #"guard encoding.lowercased() == "chunked" else { return }"#),
        ("Adapters/OutboxHTTP/A.swift", #"let isURL = text.hasPrefix("https://")"#),
        ("Adapters/OutboxHTTP/A.swift", "let word = text.trimmingCharacters(in: .whitespaces)"),
        ("Adapters/SQLite/A.swift", "private var rows: [String: Int64] = [:]"),
        ("Adapters/Postgres/A.swift", "var names: Set<String> = []"),
        ("Adapters/Receiver/A.swift", #"let name = host.prefix { $0 != ":" }"#),
        ("Adapters/Receiver/A.swift", #"if host.contains(":") { return }"#),
        ("Adapters/Receiver/Daemon/DaemonContext.swift", "class RequestRate {\n    let a = b.lowercased()\n}"),
        ("Adapters/Receiver/Daemon/DaemonContext.swift", "class Exchange {\n    let used: [String: Int64]\n}"),
        ("Adapters/Receiver/Daemon/DaemonContext.swift", "class RequestRate {\n}\nlet used: [String: Int64] = [:]"),
    ]

    /// Lines that are not violations.
    static let harmless = [
        ("Adapters/Receiver/A.swift", "let lines = bytes.split(separator: 0x0A)"),
        ("Adapters/Receiver/A.swift", #"let last = header.parts(separatedBy: ",").last"#),
        ("Adapters/Receiver/A.swift", "// not text.lowercased()"),
        ("Adapters/Receiver/A.swift", #"let text = "use .hasPrefix(, not [String:""#),
        ("App/Commands/A.swift", "let name = text.lowercased()"),
        ("Adapters/Receiver/Daemon/DaemonContext.swift", "class RequestRate {\n    let used: [String: Int64]\n}"),
        (
            "Adapters/Receiver/Daemon/DaemonContext.swift",
            "extension RequestRate {\n    var a: [String: Int64] { [:] }\n}"
        ),
    ]

    /// A line with an operation.
    struct Place {
        let path: String
        let type: Substring
        let operation: String
        let text: String
    }

    /// Returns `path:line: text` for each violation.
    static func violations(in tree: SourceTree) -> [String] { check(tree).violations }

    /// Returns `path:line: text` for each violation, and the allowed places that do not exist.
    static func check(_ tree: SourceTree) -> (violations: [String], unused: [String]) {
        let places = tree.files.filter { file in folders.contains { file.path.hasPrefix($0) } }.flatMap(places)
        let unused = allowed.filter { allowed in !places.contains(where: allowed.covers) }
        return (
            places.filter { place in !allowed.contains { $0.covers(place) } }.map(\.text),
            unused.map { "\($0.path): \($0.operation) is not used in \($0.type)" }
        )
    }

    private static func places(in file: SourceTree.File) -> [Place] {
        let types = file.enclosingTypes
        return zip(file.code, file.lines).enumerated().flatMap { index, line in
            // Every operation has one of these bytes.
            guard line.0.utf8.contains(where: { $0 == 0x2E || $0 == 0x5B || $0 == 0x3C || $0 == 0x7B }) else {
                return [Place]()
            }
            return operations.filter { uses($0, line.0, line.1) }.map {
                Place(path: file.path, type: types[index], operation: $0, text: "\(file.path):\(index + 1): \(line.1)")
            }
        }
    }

    /// Returns whether a line uses an operation: its code contains it without the literal, and the line with it.
    private static func uses(_ operation: String, _ code: String, _ line: String) -> Bool {
        let part = operation.last == "\"" ? String(operation.dropLast()) : operation
        return code.contains(part) && line.contains(operation)
    }
}
