/// The sources at a location that the user named.
public struct FoundSources: Sendable {
    /// The sources to read.
    public var sources: [any HealthDataSource]
    /// Further exports at that location that are not read, for example older ones.
    public var unread: [UnreadExport]

    /// Creates a result with these sources, and with these exports that are not read.
    public init(_ sources: [any HealthDataSource] = [], unread: [UnreadExport] = []) {
        self.sources = sources
        self.unread = unread
    }

    /// Appends `others`.
    package mutating func add(_ others: FoundSources) {
        sources += others.sources
        unread += others.unread
    }
}
