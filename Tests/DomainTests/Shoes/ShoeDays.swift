import Foundation
import HealthSyncDomain
import HealthSyncTestKit

/// Days with and without clock changes, with random sessions on and around them.
enum ShoeDays {
    /// Zone and day. The days have 24, 23, 25, 23, 25, 24.5 and 23.5 hours.
    static let all = [
        ("Asia/Kolkata", "2024-03-31"), ("Europe/Paris", "2024-03-31"), ("Europe/Paris", "2024-10-27"),
        ("America/New_York", "2024-03-10"), ("America/New_York", "2024-11-03"), ("Australia/Lord_Howe", "2024-04-07"),
        ("Australia/Lord_Howe", "2024-10-06"),
    ]

    static let shoes = (1...3).map { UUID(version4: [UInt8](repeating: $0, count: 16)) }

    /// Returns the ids 1, 2, 3 and so on.
    static func counter() -> () -> UUID {
        var number: UInt64 = 0
        return {
            number += 1
            return UUID(version4: (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 8 * 8)) })
        }
    }

    /// Returns sessions within `range` that begin and end on whole minutes, or in half of the cases on whole hours.
    static func randomSessions(
        in range: InstantRange, random: inout SeededRandom, newID: () -> UUID
    ) -> ShoeSessions {
        var sessions = ShoeSessions()
        let minutes = range.milliseconds / 60_000
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let start = Int64.random(in: 0..<minutes, using: &random)
            let longest: Int64 = Bool.random(using: &random) ? 30 : 900
            let length = Int64.random(in: 1...longest, using: &random)
            let shoe = shoes.randomElement(using: &random) ?? shoes[0]
            sessions.assign(
                InstantRange(
                    start: range.start.advanced(bySeconds: start * 60),
                    end: min(range.end, range.start.advanced(bySeconds: (start + length) * 60))), to: shoe, newID: newID
            )
        }
        return sessions
    }

    /// Returns the sessions with some starts and ends marked as automatic; the last may be active.
    static func partlyByThemselves(_ sessions: ShoeSessions, random: inout SeededRandom) -> ShoeSessions {
        var all = sessions.all
        for index in all.indices {
            all[index].isAutoStarted = Bool.random(using: &random)
            all[index].isAutoClosed = Bool.random(using: &random)
        }
        if Bool.random(using: &random), let last = all.indices.last {
            all[last].end = nil
            all[last].isAutoClosed = false
        }
        return ShoeSessions(all)
    }

    /// Returns some hours of `hours` in the format of `--hours`: `3,7-9`.
    static func randomHours(_ hours: DayHours, random: inout SeededRandom) -> String {
        (0...Int.random(in: 0...2, using: &random)).map { _ in
            let first = Int.random(in: 0..<hours.hours.count, using: &random)
            let last = min(hours.hours.count - 1, first + Int.random(in: 0...4, using: &random))
            return first == last ? hours.hours[first].name : hours.hours[first].name + "-" + hours.hours[last].name
        }
        .joined(separator: ",")
    }
}

/// A session without its id.
struct Wearing: Hashable {
    let shoe: UUID
    let start: Instant
    let end: Instant?
    let isAuto: [Bool]

    static func all(_ sessions: ShoeSessions) -> [Wearing] {
        sessions.all.map {
            Wearing(shoe: $0.shoe, start: $0.start, end: $0.end, isAuto: [$0.isAutoStarted, $0.isAutoClosed])
        }
    }
}
