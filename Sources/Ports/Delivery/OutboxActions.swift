/// Actions of the user on rejected items. Each is one durable transaction, or throws and changes nothing; it throws
/// `.busy` while another run changes the database.
package protocol OutboxActions: Sendable {
    /// Lets the next run send the rejected items with `ids` again, or all for `nil`; returns how many.
    func retry(ids: [Int64]?) async throws -> Int
}
