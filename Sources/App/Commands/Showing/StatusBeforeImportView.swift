/// The state of the inbox before the first import, when no database exists.
struct StatusBeforeImportView {
    let databasePath: String
    let inbox: InboxState

    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable([.left, .left])
        table.add("database", "\(databasePath) (the first import creates it)")
        table.add("inbox", inbox.text)
        for warning in inbox.warnings { table.add(["", "\(warning.finding): \(warning.advice)"], colors: [1: .warn]) }
        return table.lines(fitting: style)
    }

    var json: JSONValue {
        [
            "database": databasePath, "recorded": JSONValue.null, "recordedDays": JSONValue.null, "inbox": inbox,
            "runs": JSONValue.null,
        ]
    }
}
