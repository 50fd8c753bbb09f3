/// A pool that lends each of its resources, such as connections with their blocking threads, to one caller at a time.
/// If none is free, callers wait and are served in order, even if cancelled.
package actor LendingPool<Resource: Sendable> {
    private var idle: [Resource]
    private var waiting: [CheckedContinuation<Resource, Never>] = []

    /// Creates a pool of `resources`, at least one.
    package init(_ resources: [Resource]) { idle = resources }

    /// Calls `use` with a resource, which is lent until `use` returns, and rethrows its error.
    package func lend<Value: Sendable, Failure: Error>(
        _ use: @Sendable (Resource) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let resource = await take()
        defer { giveBack(resource) }
        return try await use(resource)
    }

    private func take() async -> Resource {
        if let resource = idle.popLast() { return resource }
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func giveBack(_ resource: Resource) {
        if waiting.isEmpty { idle.append(resource) } else { waiting.removeFirst().resume(returning: resource) }
    }
}
