import Foundation
import HealthSyncDomain

/// The JSON text of the truth file: one object, its days one per line.
struct TruthDocument {
    let scenario: Scenario
    let document: ExportDocument

    private struct Stay: Encodable {
        let from: CalendarDay
        let zone: String
    }

    private struct Head: Encodable {
        let format = "healthsync-truth/1"
        let seed: UInt64
        let homeZone: String
        let timeZones: [Stay]
        let exportDate: String
        let records: [TruthRecordCount]
    }

    func text() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let clock = scenario.timeline.clock
        let head = Head(
            seed: scenario.seed, homeZone: clock.home.identifier,
            timeZones: clock.residences.map { Stay(from: $0.firstDay, zone: $0.rules.identifier) },
            exportDate: RFC3339.string(
                Instant(seconds: scenario.exportMoment), offsetSeconds: scenario.exportOffset),
            records: document.counts)
        var text = try encoder.encode(head)
        text.removeLast()
        text.append(contentsOf: Data(",\"days\":[\n".utf8))
        let planner = scenario.planner
        for day in scenario.timeline.days {
            let truth = TruthDay(planner.plan(of: day), figures: document.truth.figures(of: day), clock: clock)
            text.append(try encoder.encode(truth))
            text.append(contentsOf: Data((day < scenario.timeline.days.last ? ",\n" : "\n").utf8))
        }
        text.append(contentsOf: Data("]}\n".utf8))
        return text
    }
}

/// The true values of one local day, as printed. Values that nothing measured are absent.
private struct TruthDay: Sendable, Encodable {
    let day: CalendarDay
    /// The IANA name of the user's time zone.
    let zone: String
    /// The steps walked, including those that no device counted.
    let steps: Double
    /// The kilometers walked.
    let walkingDistance: Double
    /// The kilocalories that the watch measured.
    let activeEnergy: Double?
    let exerciseMinutes: Double?
    let restingHeartRate: Int64?
    let heartRate: TruthHeartRate?
    let sleep: TruthSleep

    init(_ plan: DayPlan, figures: TruthFigures, clock: DayClock) {
        day = plan.day
        zone = plan.zoneName
        steps = Self.rounded(figures.steps)
        walkingDistance = Self.rounded(figures.kilometres)
        activeEnergy = figures.activeEnergy.map(Self.rounded)
        exerciseMinutes = figures.exerciseMinutes.map(Self.rounded)
        restingHeartRate = figures.restingHeartRate
        heartRate = figures.heartRate
        sleep = TruthSleep(plan, clock: clock)
    }

    private static func rounded(_ value: Double) -> Double { (value * 1_000_000).rounded() / 1_000_000 }
}

/// The sleep that counts on one day.
private struct TruthSleep: Sendable, Encodable {
    /// The main sleep of the night before: the watch's if it exists, otherwise, on a day without a nap, the phone's time in
    /// bed.
    let main: TruthSession?
    /// Shorter sessions that end on the day.
    let naps: [TruthSession]

    init(_ plan: DayPlan, clock: DayClock) {
        func session(_ stretches: [SleepStretch], _ source: String) -> TruthSession? {
            stretches.isEmpty ? nil : TruthSession(stretches, source: source, clock: clock)
        }
        let night = plan.night.watchStretches.prefix(1)
        let rest = plan.night.watchStretches.dropFirst()
        // The rest is at most three hours later, so it is of the night if it may be a part of one.
        let parts = rest.filter { Self.mayBeOfNight($0, clock: clock) }
        let later = rest.filter { !Self.mayBeOfNight($0, clock: clock) }
        naps = (later + [plan.nap].compactMap(\.self)).compactMap { session([$0], plan.watch.sourceName) }
        let inBed = plan.night.phoneInBed.map { SleepStretch(stages: [StageSpan(stage: .inBed, span: $0)]) }
        main =
            session(night + parts, plan.watch.sourceName)
            ?? (naps.isEmpty ? session([inBed].compactMap(\.self), plan.phone.sourceName) : nil)
    }

    private static func mayBeOfNight(_ stretch: SleepStretch, clock: DayClock) -> Bool {
        let begin = Instant(seconds: stretch.span.start)
        let time = begin.seconds + clock.offsetSeconds(at: begin) - clock.day(of: begin).utcStartSeconds
        return time < 9 * 3_600 || stretch.secondsAsleep >= 90 * 60
    }
}

/// A night or a nap that a consumer of the export must find.
private struct TruthSession: Sendable, Encodable {
    let source: String
    /// RFC 3339 with the UTC offset of the user's time zone.
    let start: String
    let end: String
    /// The minutes of each stage by its JSON name; stages that do not occur are absent.
    let stageMinutes: [String: Double]
    let totalSleepMinutes: Double
    let timeInBedMinutes: Double
    let awakeMinutes: Double
    let efficiency: Double

    /// Creates the sleep of `parts`, which ascend. The time between them is neither awake nor in bed.
    init(_ parts: [SleepStretch], source: String, clock: DayClock) {
        self.source = source
        start = Self.time(parts.first?.span.start ?? 0, clock)
        end = Self.time(parts.last?.span.end ?? 0, clock)
        var minutes: [String: Double] = [:]
        for stage in SleepStage.allCases {
            let seconds = parts.reduce(0) { $0 + $1.seconds(of: stage) }
            if seconds > 0 { minutes[stage.rawValue] = Double(seconds) / 60 }
        }
        stageMinutes = minutes
        let (asleep, inBed) = (parts.reduce(0) { $0 + $1.secondsAsleep }, parts.reduce(0) { $0 + $1.span.seconds })
        totalSleepMinutes = Double(asleep) / 60
        timeInBedMinutes = Double(inBed) / 60
        awakeMinutes = minutes[SleepStage.awake.rawValue] ?? 0
        efficiency = Double(asleep) / Double(inBed) * 100
    }

    private static func time(_ second: Int64, _ clock: DayClock) -> String {
        let instant = Instant(seconds: second)
        return RFC3339.string(instant, offsetSeconds: clock.offsetSeconds(at: instant))
    }
}
