import HealthSyncDomain

/// The parameters of a query by name. If a name occurs more than once, the last value counts.
package struct QueryParameters: Hashable, Sendable {
    private var values: [ExactText: String] = [:]

    /// The value of the parameter `name`.
    package subscript(name: String) -> String? {
        get { values[ExactText(name)] }
        set { values[ExactText(name)] = newValue }
    }

    /// Names and values, in the order of the names.
    package var sorted: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
    }

    /// The parameters as the archive of posts has them. Of names that are canonically equivalent, the last one remains.
    package var archived: [String: String] {
        Dictionary(sorted.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
}
