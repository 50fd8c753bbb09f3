/// The state of the inbox before the first import, when no database exists.
struct StatusBeforeImportView {
    let databasePath: String
    let inbox: InboxState

    var lines: [String] {
        var table = TextTable([.left, .left])
        table.add("database", "\(databasePath) (the first import creates it)")
        table.add("inbox", inbox.text)
        for warning in inbox.warnings { table.add("", "\(warning.finding): \(warning.advice)") }
        return table.lines()
    }

    var json: JSONValue {
        ["database": databasePath, "recordedDays": JSONValue.null, "inbox": inbox, "runs": JSONValue.null]
    }
}
