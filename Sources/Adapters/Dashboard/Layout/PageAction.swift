import HealthSyncPorts

/// Something that a form of a page does.
protocol PageAction: Sendable {
    /// Segments of its path.
    var path: [String] { get }
    /// Does it and returns the address of the page to look at then. What it throws is shown as the page of the failure.
    func perform(_ request: WebRequest) async throws -> String
}
