import HealthSyncTestKit

/// One thing that happens in a history. What it does in detail depends only on its seed and on what happened before, so that
/// a history without some of its steps is a history as well.
struct Step: Hashable, Sendable, CustomStringConvertible {
    enum Kind: String, CaseIterable, Sendable {
        /// Days pass, and the phones record, edit and delete.
        case live
        /// Phones send exports, feeds and streams, some of them again.
        case arrive
        /// A daily run imports what arrived, over a network with faults.
        case daily
        /// The same; the process dies at one of its changes.
        case killedDaily
        /// The same for a run over all days.
        case killedHistorical
        /// A daily run during which the disk fails at some changes; the process lives on.
        case failingDaily
        case push
        case killedPush
        case failingPush
        /// Another process pushes while one waits for a response.
        case twoPushes
        case travel
        case backUpClient
        case restoreClient
        case backUpServer
        case restoreServer
        case restartServer
        /// A daily run whose server confirms what it does not store. No promise covers this, so it is in no random history.
        case lyingDaily
        /// Everything is imported and delivered without faults, then compared.
        case quiet
    }

    var kind: Kind
    var seed: UInt64

    init(kind: Kind, seed: UInt64) {
        self.kind = kind
        self.seed = seed
    }

    /// Reads a `description`.
    init?(_ description: some StringProtocol) {
        let words = description.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let kind = Kind(rawValue: String(words[0])), let seed = UInt64(words[1]) else {
            return nil
        }
        self.init(kind: kind, seed: seed)
    }

    var description: String { "\(kind.rawValue) \(seed)" }

    /// How often each kind happens.
    private static let weights: [(Kind, Int)] = [
        (.live, 8), (.arrive, 8), (.daily, 4), (.killedDaily, 5), (.killedHistorical, 3), (.failingDaily, 3),
        (.push, 2), (.killedPush, 3), (.failingPush, 2), (.twoPushes, 2), (.travel, 2), (.backUpClient, 1),
        (.restoreClient, 1), (.backUpServer, 1), (.restoreServer, 1), (.restartServer, 1), (.quiet, 3),
    ]

    /// Returns the history of a seed: weeks with an import, then what the seed chooses; a quiet point ends it.
    static func history(seed: UInt64, count: Int) -> [Step] {
        var random = SeededRandom(seed: seed)
        let kinds = weights.flatMap { Array(repeating: $0.0, count: $0.1) }
        func step(_ kind: Kind) -> Step { Step(kind: kind, seed: random.next()) }
        let chosen = (0..<count).map { _ in step(kinds.randomElement(using: &random) ?? .live) }
        return [step(.arrive)] + chosen + [step(.quiet)]
    }

    /// Returns a shorter history that still fails: parts are left out, half of it first, as long as `fails` holds.
    static func shortest(_ history: [Step], fails: ([Step]) async -> Bool) async -> [Step] {
        var history = history
        var size = history.count / 2
        while size > 0 {
            var start = 0
            while start < history.count {
                var shorter = history
                shorter.removeSubrange(start..<min(start + size, history.count))
                if await fails(shorter) { history = shorter } else { start += size }
            }
            size /= 2
        }
        return history
    }
}
