import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import Testing

@Suite("What the rules of a new version changed")
struct HistoryChangeTests {
    /// Returns the change that a run finds, for a figure that was `former` and is `quantity`. The figure of the day after
    /// makes the day one that was over.
    private func change(of metric: HealthMetric, former: Double, quantity: Double?) async throws -> HistoryChange? {
        let temporary = try TemporaryDatabase()
        try await temporary.open().close()
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            metric, former, quantity = sys.argv[2], float(sys.argv[3]), sys.argv[4]
            for day in ("2024-01-14", "2024-01-15"):
                database.execute("INSERT INTO former_figure VALUES (?, ?, ?, 'unit')", (metric, day, former))
            if quantity and metric == "sleep":
                columns = [(row[1], row[2], row[4]) for row in database.execute("PRAGMA table_info(sleep_session)") if row[3]]
                known = {"day": "2024-01-14", "role": "main", "counts": 1, "stretches": "[]",
                         "counted_asleep_ms": round(float(quantity) * 60_000), "asleep_ms": round(float(quantity) * 60_000)}
                values = {name: known.get(name, {"TEXT": "x", "REAL": 0.0}.get(kind, 0)) for name, kind, _ in columns} | known
                database.execute("INSERT INTO sleep_session (" + ", ".join(values) + ") VALUES ("
                                 + ", ".join("?" * len(values)) + ")", list(values.values()))
            elif quantity:
                columns = [(row[1], row[2]) for row in database.execute("PRAGMA table_info(daily_progress)") if row[3]]
                known = {"metric": metric, "day": "2024-01-14", "quantity": float(quantity), "unit": "unit"}
                values = {name: known.get(name, {"TEXT": "x", "REAL": 0.0}.get(kind, 0)) for name, kind in columns} | known
                database.execute("INSERT INTO daily_progress (" + ", ".join(values) + ") VALUES ("
                                 + ", ".join("?" * len(values)) + ")", list(values.values()))
            database.execute("INSERT INTO history_change (version, nights, figures) VALUES ('0.2.0', 0, 0)")
            database.commit()
            """
        _ = try PythonSQLite.run(
            script, [temporary.path, metric.rawValue, String(former), quantity.map { String($0) } ?? ""])
        let database = try await temporary.open()
        let change = try await database.tracking.concludeHistoryChange(at: Instant(seconds: 1_705_400_000))
        #expect(try await database.tracking.historyChange() == change)
        try await database.close()
        return change
    }

    @Test(
        "A night changed if it differs by a minute",
        arguments: [(401.0, 1), (400.5, 0), (400, 0), (399, 1), (399.5, 0), (402, 1)])
    func nights(minutes: Double, count: Int) async throws {
        let change = try await change(of: .sleep, former: 400, quantity: minutes)
        #expect((change?.nights ?? 0) == count)
        #expect(change?.figures ?? 0 == 0)
    }

    @Test(
        "Another figure changed if it differs by a millionth",
        arguments: [(1_000_001.5, 1), (1_000_000.5, 0), (999_999.5, 0), (999_998.5, 1), (1_000_000, 0)])
    func figures(quantity: Double, count: Int) async throws {
        let change = try await change(of: .steps, former: 1_000_000, quantity: quantity)
        #expect((change?.figures ?? 0) == count)
        #expect(change?.nights ?? 0 == 0)
    }

    @Test("A figure that is gone has changed", arguments: [HealthMetric.sleep, .steps])
    func gone(metric: HealthMetric) async throws {
        let change = try #require(try await change(of: metric, former: 400, quantity: nil))
        #expect(change.nights + change.figures == 1)
        #expect(change.last.quantity == nil && change.last.former == 400)
    }
}
