import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// A `StoredWorld` with a manual clock that starts on 15 January 2024 at 13:00 in Paris. The steps of that day are from
/// 9:00 to 9:10.
struct ShoeWorld {
    let time = ManualTime(FixedTime().now(), zoneName: "Europe/Paris")
    let world: StoredWorld

    /// Creates a world with a default shoe and another one.
    init() async {
        world = StoredWorld(time: time)
        _ = await world.run("shoes add Salomon Speedcross 6 --emoji 👟 --price 140EUR --default")
        _ = await world.run("shoes add Nike Pegasus")
    }

    /// Returns output and errors of a command.
    func run(_ line: String, afterMinutes minutes: Int64 = 0) async -> String {
        time.advance(milliseconds: minutes * 60_000)
        let outcome = await world.run(line)
        return outcome.output + outcome.errors.map { $0 + "\n" }.joined()
    }

    /// Writes `text` to the configuration file.
    func configure(_ text: String) throws {
        _ = try world.harness.files.makePrivateFile(
            "/home/anna/.config/healthsync/config.json", Array(text.utf8))
    }

    /// Returns the id of the shoe of that model.
    func id(of model: String) async throws -> String {
        let shoes = try await world.stores.shoes.shoes()
        return try #require(shoes.first { $0.details.model == model }).id.uuidString.lowercased()
    }

    /// Returns all stored shoe data.
    func stored() async throws -> Stored {
        let days = try #require(DayRange(CalendarDay(ordinal: 0), through: CalendarDay(ordinal: 40_000)))
        let shoes = world.stores.shoes
        return Stored(
            shoes: try await shoes.shoes(), sessions: try await shoes.sessions(),
            settled: try await shoes.settled(on: days))
    }

    struct Stored: Equatable {
        let shoes: [Shoe]
        let sessions: ShoeSessions
        let settled: Set<SettledHours>
    }

    func json(_ line: String) async throws -> [String: Any] {
        let outcome = await world.run(line + " --json")
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }
}
