import HealthSyncPorts

/// Something that a form of a page does.
protocol PageAction: Sendable {
    /// Where its forms are sent.
    static var address: String { get }
    /// The same; below it for an action of several kinds.
    var address: String { get }
    /// The page on which the form stands that was sent; it is shown again where the form makes no sense. `nil` for none.
    func place(of request: WebRequest) -> FormPlace?
    /// Does it. What it throws is shown on the page of the form, or as the page of the failure.
    func perform(_ request: WebRequest) async throws -> ActionOutcome
}

extension PageAction {
    var address: String { Self.address }
    /// Segments of its path.
    var path: [String] { address.split(separator: "/").map(String.init) }
}
