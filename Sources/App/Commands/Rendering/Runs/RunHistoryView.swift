import HealthSyncDomain

/// The last runs, latest first.
struct RunHistoryView: JSONEncodable {
    let history: RunHistory
    let clock: DayClock

    func lines(_ style: OutputStyle) -> [String] {
        guard !history.runs.isEmpty else { return [] }
        let views = history.runs.map { RecordedRunView(run: $0, progress: history.progress, clock: clock) }
        var table = TextTable([.left, .left, .left, .left, .right, .left])
        for view in views { table.add(view.cells, colors: view.run.end.map { [3: $0.ending.color] } ?? [:]) }
        return ["last runs"]
            + zip(table.blocks(fitting: style, indentation: 2), views).flatMap { lines, view in
                lines + view.failureLines.flatMap { style.wrapped("    " + $0, .warn) }
            }
    }

    var json: JSONValue {
        history.runs.map { RecordedRunView(run: $0, progress: history.progress, clock: clock) }.json
    }
}

extension RunEnding {
    /// The color of the ending on a terminal.
    fileprivate var color: Palette {
        switch self {
        case .completed: .good
        case .held: .quiet
        case .completedWithFailures, .cancelled: .warn
        case .failed, .cutOff: .range
        }
    }
}
