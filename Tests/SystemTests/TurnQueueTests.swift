import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Queue in which users take turns")
struct TurnQueueTests {
    private struct Job: Equatable {
        let user: Int
        let number: Int
        let size: Int
    }

    private static let largestTurn = 20
    private static let limit = (jobs: 12, size: 50)

    /// Returns the turns of consecutive jobs, each the user and the sizes of the turn's jobs.
    private static func turns(_ jobs: [Job]) -> [(user: Int, sizes: [Int])] {
        var turns: [(user: Int, sizes: [Int])] = []
        for job in jobs {
            if let last = turns.last, last.user == job.user, last.sizes.reduce(job.size, +) <= largestTurn {
                turns[turns.count - 1].sizes.append(job.size)
            } else {
                turns.append((job.user, [job.size]))
            }
        }
        return turns
    }

    @Test("Groups keep their limits, nothing is lost, and each user's order is kept", arguments: Seeds.range(40))
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = TurnQueue<Int, Job>(largestTurn: Self.largestTurn)
        var (added, removed): ([Job], [Job]) = ([], [])
        for step in 0..<400 {
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let job = Job(
                    user: Int.random(in: 0..<5, using: &random), number: added.count,
                    size: [1, 3, 19, 20, 21, 50, 60].randomElement(using: &random) ?? 1)
                added.append(job)
                queue.append(job, of: job.user, size: job.size)
            }
            guard step % 2 == 0 else { continue }
            let group = queue.next(atMost: Self.limit)
            #expect(group.isEmpty == (removed.count == added.count))
            #expect(group.count <= Self.limit.jobs)
            #expect(group.count == 1 || group.reduce(0) { $0 + $1.size } <= Self.limit.size)
            removed += group
            #expect(queue.count == added.count - removed.count)
        }
        while case let group = queue.next(atMost: Self.limit), !group.isEmpty { removed += group }
        #expect(removed.count == added.count)
        for user in 0..<5 { #expect(removed.filter { $0.user == user } == added.filter { $0.user == user }) }
    }

    @Test("While a user waits, each other user has at most one turn", arguments: Seeds.range(40))
    func fairness(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = TurnQueue<Int, Job>(largestTurn: Self.largestTurn)
        // One user sends most of the jobs, before all others.
        let counts = [300] + (1..<6).map { _ in Int.random(in: 1...20, using: &random) }
        for (user, count) in counts.enumerated() {
            for number in 0..<count {
                let size = Int.random(in: 1...30, using: &random)
                queue.append(Job(user: user, number: number, size: size), of: user, size: size)
            }
        }
        var jobs: [Job] = []
        while case let group = queue.next(atMost: Self.limit), !group.isEmpty { jobs += group }
        var left = counts
        var sinceTurn = [[Int: Int]](repeating: [:], count: counts.count)
        for turn in Self.turns(jobs) {
            for user in counts.indices where user != turn.user && left[user] > 0 {
                sinceTurn[user][turn.user, default: 0] += 1
                #expect(sinceTurn[user][turn.user] ?? 0 <= 1)
            }
            sinceTurn[turn.user] = [:]
            left[turn.user] -= turn.sizes.count
        }
    }

    @Test("A user who arrives later waits for one turn of each other user")
    func arrival() {
        var queue = TurnQueue<String, String>(largestTurn: 20)
        for number in 0..<100 { queue.append("flood \(number)", of: "flood", size: 5) }
        #expect(queue.next(atMost: (jobs: 4, size: 50)).count == 4)
        queue.append("mine", of: "me", size: 1)
        #expect(queue.next(atMost: (jobs: 5, size: 50)).last == "mine")
    }

    @Test("The limits hold at their boundaries")
    func boundaries() {
        var queue = TurnQueue<Int, Int>(largestTurn: 10)
        for job in [4, 6, 1] { queue.append(job, of: 1, size: job) }
        queue.append(10, of: 2, size: 10)
        #expect(queue.next(atMost: (jobs: 9, size: 20)) == [4, 6, 10])
        #expect(queue.next(atMost: (jobs: 9, size: 20)) == [1])
        queue.append(21, of: 1, size: 21)
        queue.append(1, of: 2, size: 1)
        #expect(queue.next(atMost: (jobs: 9, size: 20)) == [21])
        #expect(queue.next(atMost: (jobs: 9, size: 20)) == [1])
        #expect(queue.next(atMost: (jobs: 9, size: 20)).isEmpty && queue.count == 0)
    }
}
