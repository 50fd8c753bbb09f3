/// What a person does with refused items. Each action is one durable transaction, or throws and has changed nothing;
/// `.busy` while another run changes the database.
package protocol OutboxActions: Sendable {
    /// Lets the refused items with `ids`, or all for `nil`, be sent again by the next run; returns how many.
    func retry(ids: [Int64]?) async throws -> Int
}
