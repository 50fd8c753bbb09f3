/// What stands at a path that a person named.
package struct FoundSources: Sendable {
    /// What is to be read.
    package var sources: [any HealthDataSource]
    /// Exports that stand there too and are not read.
    package var unread: [UnreadExport]

    package init(_ sources: [any HealthDataSource] = [], unread: [UnreadExport] = []) {
        self.sources = sources
        self.unread = unread
    }

    /// These, and then `others`.
    package mutating func add(_ others: FoundSources) {
        sources += others.sources
        unread += others.unread
    }
}
