import HealthSyncDomain
import HealthSyncTestKit

/// Figures of steps, heart rate and resting heart rate on some of about a hundred days.
struct RandomDays {
    let days: DayRange
    let progress: [DailyProgress]

    init(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let first = try RandomSteps.day("2023-11-20").advanced(by: .random(in: 0...60, using: &random))
        days = DayRange(first).widened(before: 0, after: .random(in: 0...100, using: &random))
        var progress: [DailyProgress] = []
        for day in days.widened(before: 2, after: 2) {
            if Bool.random(using: &random) {
                var steps = Self.progress(
                    .steps, day, ProgressFigures(quantity: Double(Int.random(in: 0...30_000, using: &random))))
                steps.origins = ["Watch", "Phone"].map {
                    OriginProgress(sourceName: $0, quantity: Double(Int.random(in: 0...9_000, using: &random)))
                }
                progress.append(steps)
            }
            if Bool.random(using: &random) {
                let values = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                    Double(Int.random(in: 40...180, using: &random))
                }
                progress.append(Self.progress(.heartRate, day, Self.figures(of: values)))
            }
            if Bool.random(using: &random) {
                progress.append(Self.progress(.restingHeartRate, day, Self.figures(of: [52.5])))
            }
            progress.append(Self.progress(.activeEnergy, day, ProgressFigures(quantity: 300)))
        }
        self.progress = progress.shuffled(using: &random)
    }

    static func progress(_ metric: HealthMetric, _ day: CalendarDay, _ figures: ProgressFigures) -> DailyProgress {
        DailyProgress(metric: metric, day: day, start: day.utcStart, unit: "", figures: figures)
    }

    static func figures(of values: [Double]) -> ProgressFigures {
        ProgressFigures(
            quantity: values.reduce(0, +) / Double(values.count), minimum: values.min(), maximum: values.max(),
            count: values.count)
    }
}
