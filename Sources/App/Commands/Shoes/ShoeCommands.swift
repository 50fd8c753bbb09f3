import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

// Common parts of the shoe commands.
extension CommandContext {
    /// Returns the shoe that the arguments name, or `nil` without arguments.
    func namedShoe(_ engine: SyncEngine) async throws -> Shoe? {
        guard !parsed.arguments.isEmpty else { return nil }
        return try ShoeChoice.shoe(parsed.arguments, among: try await engine.shoes.all())
    }

    /// Shows a shoe after a change.
    func showShoe(_ shoe: Shoe, _ what: String, clock: DayClock) {
        show(
            text: ["\(what): \(ShoeNames.label(shoe)) (\(ShoeNames.shortID(shoe.id)))"],
            json: ShoeView.details(shoe, clock))
    }

    /// Changes the shoe that the arguments name, and shows it.
    func change(
        _ what: String, _ action: (Shoe) throws -> ShoeAction<Shoe>
    ) async throws -> ExitStatus {
        let settings = try await localSettings()
        let shoe = try await withEngine(.writing, settings: settings) { engine in
            let shoe = try ShoeChoice.shoe(parsed.arguments, among: try await engine.shoes.all())
            return try await engine.shoes.run(try action(shoe))
        }
        showShoe(shoe, what, clock: settings.clock)
        return .done
    }

    /// Starts or ends a session, and shows the change.
    func switchShoes(_ action: (Shoe.ID?) -> ShoeAction<ShoeSwitch>) async throws -> ExitStatus {
        let settings = try await localSettings()
        let view = try await withEngine(.writing, settings: settings) { engine in
            let change = try await engine.shoes.run(action(try await namedShoe(engine)?.id))
            return ShoeSwitchView(
                change: change, names: ShoeNames(try await engine.shoes.all()), clock: settings.clock)
        }
        show(text: view.lines, json: view.json)
        return .done
    }
}
