import HealthSyncPorts

/// Something that a form of a page does.
protocol PageAction: Sendable {
    /// Segments of its path.
    var path: [String] { get }
    /// Does it. What it throws is shown as the page of the failure.
    func perform(_ request: WebRequest) async throws -> ActionOutcome
}

extension PageAction {
    /// Where its forms are sent.
    var address: String { "/" + path.joined(separator: "/") }
}
