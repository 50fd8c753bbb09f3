import HealthSyncDomain

/// The last runs, latest first.
struct RunHistoryView: JSONEncodable {
    let history: RunHistory
    let clock: DayClock

    var lines: [String] {
        guard !history.runs.isEmpty else { return [] }
        let views = history.runs.map { RecordedRunView(run: $0, progress: history.progress, clock: clock) }
        var table = TextTable([.left, .left, .left, .left, .right, .left])
        for view in views { table.add(view.cells) }
        return ["last runs"]
            + zip(table.lines(indentation: 2), views).flatMap { line, view in
                [line] + view.failureLines.map { "    " + $0 }
            }
    }

    var json: JSONValue {
        history.runs.map { RecordedRunView(run: $0, progress: history.progress, clock: clock) }.json
    }
}
