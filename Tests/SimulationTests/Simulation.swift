import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit

/// A client, a server, the network between them, phones and a clock in one process.
final class Simulation {
    private struct ClientBackup {
        var path: String
        var model: ReferenceModel
        var waiting: [Document]
    }

    private static let zones = ["Europe/Paris", "America/New_York", "Asia/Tokyo", "Asia/Kolkata", "UTC"]
    /// Weeks before the clocks of Europe and America change.
    private static let start = Instant(seconds: 1_709_208_000)

    private let time = ManualTime(Simulation.start)
    private let server: SimulatedServer
    private let network: SimulatedNetwork
    private let client: SimulatedClient
    private var phones: Phones
    private var model = ReferenceModel(stays: [Stay(firstDay: nil, zone: "Europe/Paris")])
    /// What arrived and is not certainly imported.
    private var waiting: [Document] = []
    private var clientBackup: ClientBackup?
    private var serverBackup: String?
    /// Whether a backup was restored, after which only a repair makes both sides equal.
    private var needsRepair = false

    /// Returns the problems of a history; none if every quiet point is as the model says.
    static func problems(of history: [Step], in folder: String) async -> [String] {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let simulation = try await Simulation(in: folder)
            for (number, step) in history.enumerated() {
                do {
                    let problems = try await simulation.perform(step)
                    if !problems.isEmpty { return ["after step \(number), \(step):"] + problems }
                } catch {
                    return ["step \(number), \(step): \(error)"]
                }
            }
            try await simulation.client.close()
            await simulation.server.close()
            return []
        } catch {
            return ["the simulation cannot begin: \(error)"]
        }
    }

    private init(in folder: String) async throws {
        var random = SeededRandom(seed: 0)
        phones = Phones(now: Self.start, random: &random)
        server = try await SimulatedServer(in: folder, time: time)
        network = SimulatedNetwork(to: server, time: time)
        client = try await SimulatedClient(
            in: folder,
            surroundings: .init(time: time, chance: SimulatedChance(seed: 0), network: network))
    }

    private func clock() throws -> DayClock {
        let rules = try model.stays.map { try time.zoneRules(named: $0.zone) }
        return DayClock(
            home: rules[0],
            residences: zip(model.stays, rules).compactMap { stay, rules in
                stay.firstDay.map { DayClock.Residence(firstDay: CalendarDay(ordinal: $0), rules: rules) }
            })
    }

    private func perform(_ step: Step) async throws -> [String] {
        var random = SeededRandom(seed: step.seed)
        switch step.kind {
        case .live:
            time.advance(milliseconds: Int64.random(in: 1...96, using: &random) * 3_600_000)
            phones.live(now: time.now(), random: &random)
        case .arrive: waiting += phones.documents(now: time.now(), random: &random)
        case .travel: travel(&random)
        case .daily, .killedDaily, .killedHistorical, .failingDaily, .push, .killedPush, .failingPush, .twoPushes,
            .lyingDaily:
            return try await run(step, &random)
        case .backUpClient:
            clientBackup = ClientBackup(path: try client.backup(), model: model, waiting: waiting)
        case .restoreClient:
            guard let backup = clientBackup else { break }
            try await client.open(copyOf: backup.path)
            // The zones are those of the configuration, which is no part of the database.
            let stays = model.stays
            (model, waiting, needsRepair) = (backup.model, backup.waiting, true)
            model.stays = stays
        case .backUpServer: serverBackup = try server.backup()
        case .restoreServer:
            guard let serverBackup else { break }
            try await server.start(with: serverBackup)
            needsRepair = true
        case .restartServer: try await server.restart()
        case .quiet: return try await quietPoint()
        }
        return []
    }

    /// Returns the fault of a run.
    private func fuse(of kind: Step.Kind, _ random: inout SeededRandom) -> Fuse? {
        func number() -> Int { Int.random(in: 0..<40, using: &random) }
        switch kind {
        case .killedDaily, .killedHistorical, .killedPush:
            return Fuse(fatal: number(), afterCommit: Bool.random(using: &random))
        case .failingDaily, .failingPush:
            let (first, count) = (number(), Int.random(in: 1...3, using: &random))
            return Fuse(failing: first..<first + count, afterCommit: Bool.random(using: &random))
        default: return nil
        }
    }

    /// Runs under faults; the process dies at a change, or lives. Returns what is not as it must be.
    private func run(_ step: Step, _ random: inout SeededRandom) async throws -> [String] {
        let fuse = fuse(of: step.kind, &random)
        let zones = try clock()
        let interlude =
            step.kind == .twoPushes
            ? (number: Int.random(in: 0..<6, using: &random), body: client.secondPush(zones: zones)) : nil
        network.begin(
            seed: random.next(), rate: [0, 10, 40][Int.random(in: 0..<3, using: &random)], fuse: fuse,
            interlude: interlude)
        if step.kind == .lyingDaily { network.begin(isForgotten: true) }
        switch step.kind {
        case .push, .killedPush, .failingPush, .twoPushes: try await client.push(zones: zones, fuse: fuse)
        default:
            let isBounded = Bool.random(using: &random)
            let scope: RunScope =
                step.kind == .killedHistorical ? .historical() : .daily(lookBackDays: isBounded ? 10 : nil)
            if try await client.sync(waiting, scope, zones: zones, fuse: fuse) { noteImports() }
        }
        if fuse?.isBlown ?? false { try await client.reopen() }
        return []
    }

    private func noteImports() {
        for document in waiting { model.apply(document) }
        waiting = []
    }

    /// Moves to another zone today, or says that home always was another zone.
    private func travel(_ random: inout SeededRandom) {
        let zone = Self.zones[Int.random(in: 0..<Self.zones.count, using: &random)]
        guard Int.random(in: 0..<8, using: &random) > 0 else { return model.stays[0].zone = zone }
        let today = model.day(of: time.now().seconds)
        model.stays.removeAll { ($0.firstDay ?? .min) >= today }
        model.stays.append(Stay(firstDay: today, zone: zone))
    }

    /// Imports, derives and delivers everything without faults; returns what is not as it must be.
    private func quietPoint() async throws -> [String] {
        network.begin()
        let zones = try clock()
        guard try await client.sync(waiting, .historical(), zones: zones) else { return ["the run was not complete"] }
        noteImports()
        try await client.push(zones: zones, seconds: 7 * 86_400)
        var problems: [String] = []
        if needsRepair {
            problems += try await client.repair(zones: zones)
            needsRepair = false
        }
        problems += try await client.undelivered()
        let expected = model.content()
        var local = try await client.content()
        local.samples = expected.samples
        problems += local.differences(from: expected, name: "local")
        let remote = try await server.content()
        problems += remote.differences(from: expected, name: "server")
        return problems
    }
}
