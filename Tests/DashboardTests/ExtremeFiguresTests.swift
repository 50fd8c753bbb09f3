import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Pages with extreme figures")
struct ExtremeFiguresTests {
    private static let numbers: [Double] = [
        0, -1, .leastNonzeroMagnitude, 1, 1e15, 1e16, 1e19, -1e19, 1e300, -1e300, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude,
    ]

    private static let addresses = ["/"] + Life.addresses.filter { $0.contains("steps") || $0.contains("heart") }

    private static func life(_ figures: (_ index: Int) -> ProgressFigures) async throws -> Life {
        let today = try #require(CalendarDay("2024-03-15"))
        let life = try Life(today: today)
        for metric in [HealthMetric.steps, .heartRate, .restingHeartRate] {
            var commit = SyncCommit(metric: metric)
            commit.progress = (0..<8).map { index in
                let day = today.advanced(by: -index)
                let start = life.clock.start(of: day)
                let hours = (0..<3).map {
                    HourProgress(start: start.advanced(bySeconds: Int64($0) * 1_800), figures: figures(index + $0))
                }
                let progress = DailyProgress(
                    metric: metric, day: day, start: start, unit: "", figures: figures(index), hours: hours)
                return RevisedRecord(progress, sourceID: "\(metric)/\(day)", revision: 1)
            }
            commit.snapshots = (0..<8).map { index in
                var snapshot = ActivitySnapshot(day: today.advanced(by: -index))
                snapshot.steps = figures(index).quantity
                snapshot.minutesAsleep = figures(index + 1).quantity
                return RevisedRecord(snapshot, sourceID: "snapshot/\(index)", revision: 1)
            }
            try await life.stores.tracking.commit(commit)
        }
        return life
    }

    @Test("Pages of two alternating figures stay small, however large or small the figures are", arguments: numbers)
    func extremes(number: Double) async throws {
        for other in [1, 1e19, -1e300, .greatestFiniteMagnitude] as [Double] {
            let life = try await Self.life { index in
                let value = index.isMultiple(of: 2) ? number : other
                return ProgressFigures(
                    quantity: value, minimum: index % 3 == 0 ? nil : value, maximum: index % 3 == 1 ? nil : other,
                    count: index % 3 == 2 ? nil : Int.max - index)
            }
            for address in Self.addresses { #expect(try await life.page(address).utf8.count < 200_000, "\(address)") }
        }
    }

    @Test("A chart has fewer than ten grid lines, however close its figures are")
    func marks() async throws {
        for number in Self.numbers {
            let life = try await Self.life { _ in ProgressFigures(quantity: number, minimum: number, maximum: number) }
            let html = try await life.page("/view/heart?by=day")
            let charts = html.split(separator: "<svg ").filter { $0.hasPrefix("class=\"chart ") }
            #expect(charts.count == 2, "\(number)")
            for chart in charts { #expect(chart.split(separator: "class=\"grid\"").count < 10, "\(number)") }
        }
    }
}
