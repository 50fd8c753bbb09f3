package import HealthSyncDomain

/// Executes the actions of the user on shoes. Each is one durable transaction; if it throws, nothing was changed.
package protocol ShoeActions: Sendable {
    /// Executes `action`.
    ///
    /// - Throws: The failures of the action, `.busy` while another run changes the database, and `.storage`.
    func run<Result: Sendable>(_ action: ShoeAction<Result>) async throws -> Result
}
