import HealthSyncDomain

/// One page. What it throws is shown as the page of the failure.
protocol Page: Sendable {
    /// Where it is: the path on this host, in which nothing needs to be encoded.
    static var address: String { get }
    /// Its name in the navigation and in the window's title.
    var name: String { get }
    /// Whether the navigation leads to it; a detail of another page is reached from there.
    var isInNavigation: Bool { get }
    /// What stands on it below its name.
    func content(_ context: PageContext) async throws -> [Markup]
}

extension Page {
    var isInNavigation: Bool { true }
    var address: String { Self.address }
    /// Segments of its path.
    var path: [String] { address.split(separator: "/").map(String.init) }
}
