import HealthSyncDomain

/// A page. An error that it throws is shown as a page of its own.
protocol Page: Sendable {
    /// The path on this host, of characters that need no encoding.
    static var address: String { get }
    /// The name in the navigation and, by default, the title.
    var name: String { get }
    /// The name of its entry in the navigation: its own by default, that of the page whose detail it is.
    var entry: String { get }
    /// Whether the page shows the figures of the day in the parameter `day`. The navigation then keeps the day.
    var showsDay: Bool { get }
    /// Returns the title of the window and the heading.
    func title(_ context: PageContext) async throws -> String
    /// Returns the content below the heading.
    func content(_ context: PageContext) async throws -> [Markup]
}

extension Page {
    var entry: String { name }
    /// Whether the navigation links to the page; a detail of another page is linked there.
    var isInNavigation: Bool { entry == name }
    var showsDay: Bool { false }
    var address: String { Self.address }
    /// The segments of the path.
    var path: [String] { address.split(separator: "/").map(String.init) }
    func title(_ context: PageContext) async throws -> String { name }
}
