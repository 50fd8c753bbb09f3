import HealthSyncDomain

/// Removes all samples of a series.
enum SeriesRemoval {
    /// Returns how many samples were not deleted.
    static func removeAll(of series: Int32, userRow: Int32, in session: PostgresSession) throws -> Int {
        let connection = session.connection
        let answers = try connection.run([
            .begin, .lock(userRow), SeriesState.select([series]).command(userRow: userRow),
        ])
        guard var state = try answers.last?.first({ try SeriesState(&$0) }) else {
            connection.rollBack()
            return 0
        }
        let table = state.rowsAfter.map { SampleRowCommands(series: series, rowsAfter: $0) }
        var removed = Int(state.alive)
        state.change += 1
        state.emptied = state.change
        state.alive = 0
        state.rowsAfter = nil
        let pages = UserCommand(
            "DELETE FROM sample_pages WHERE user_id = $1 AND series_id = $2", [.int4(series)])
        let rows = try connection.run(
            ([table?.removeAll, pages, state.update].compactMap(\.self)).map { $0.command(userRow: userRow) }
                + [.commit])
        if table != nil { removed += try rows.first?.first { Int(try $0.integer()) } ?? 0 }
        return removed
    }
}
