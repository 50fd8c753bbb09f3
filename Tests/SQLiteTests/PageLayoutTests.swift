import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestTools
import Testing

@Suite("The documented page layout")
struct PageLayoutTests {
    @Test("The Python code in docs/database.md reads the same samples from every page")
    func python() async throws {
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        let pages = (0..<210).map { number in
            StoreFilling.page(
                day: CalendarDay(ordinal: 19_000 + number), count: 1 + number * 3 % 70, seed: UInt64(number))
        }
        try await StoreFilling.put(pages, in: database)
        try await database.close()
        let document = try ProjectFile.text("docs/database.md")
        let snippet = try #require(
            document.components(separatedBy: "```python\n").last?.components(separatedBy: "```").first)
        let script =
            snippet + """

                import sqlite3, sys
                for (page,) in sqlite3.connect(sys.argv[1]).execute("SELECT columns FROM sample_page ORDER BY day"):
                    for start, length, value, zone, detail in read_page(page):
                        print(start, length, struct.pack(">d", value).hex(), zone or "-",
                            "-" if detail is None else f"{detail[0]} {detail[2]} {detail[5]}")
                """
        var expected: [String] = []
        for page in pages {
            let columns = try SamplePageCodec.decode(page.bytes)
            for row in 0..<columns.count {
                let detail = columns.details[row].map {
                    "\($0.externalID ?? "") \($0.minimum ?? 0) \($0.stateMilliseconds ?? 0)"
                }
                let bits = String(columns.values[row].bitPattern, radix: 16)
                let value = String(repeating: "0", count: 16 - bits.count) + bits
                expected.append(
                    "\(columns.starts[row]) \(columns.durations[row]) \(value) \(columns.zoneName(row) ?? "-") "
                        + (detail ?? "-"))
            }
        }
        let lines = try PythonSQLite.run(script, [temporary.path]).split(separator: "\n").map(String.init)
        #expect(lines.count == expected.count)
        #expect(lines == expected)
    }

    @Test("The queries in docs/database.md return rows")
    func queries() async throws {
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        try await StoreFilling.fill(database)
        try await database.close()
        let document = try ProjectFile.text("docs/database.md")
        let queries = document.components(separatedBy: "```sql\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }.joined()
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            for query in sys.argv[2].split(";"):
                if query.strip(): print(len(db.execute(query).fetchall()))
            print(db.execute("SELECT sum(quantity), min(start) FROM hour_progress").fetchone())
            """
        let first = try #require(StoreFilling.days.first { _ in true })
        #expect(
            try PythonSQLite.run(script, [temporary.path, queries]) == "7\n0\n0\n1\n0\n(960, '\(first)T00:00:00Z')\n")
    }
}
