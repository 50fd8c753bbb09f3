import HealthSyncPorts

/// The action of a form.
protocol PageAction: Sendable {
    /// The address that its forms are sent to.
    static var address: String { get }
    /// The same address, or one below it for an action of several kinds.
    var address: String { get }
    /// Returns the page that contains the submitted form; it is shown again if the form is invalid. `nil` for none.
    func place(of request: WebRequest) -> FormPlace?
    /// Performs the action. An error is shown on the page of the form, or on a page of its own.
    func perform(_ request: WebRequest) async throws -> ActionOutcome
}

extension PageAction {
    var address: String { Self.address }
    /// The segments of the path.
    var path: [String] { address.split(separator: "/").map(String.init) }
}
