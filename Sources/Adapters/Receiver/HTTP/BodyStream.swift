/// A body that is made while it is sent.
package protocol BodyStream: Sendable {
    /// The next bytes, never empty; `nil` at the end. What it throws cuts the connection, so that the client sees that
    /// the answer is not whole.
    func next() async throws -> [UInt8]?
}
