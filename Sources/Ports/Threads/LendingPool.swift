/// Lends each of its resources to one at a time: connections, with the threads that block on them. Who finds none free waits,
/// and is served in the order of asking, cancelled or not.
package actor LendingPool<Resource: Sendable> {
    private var idle: [Resource]
    private var waiting: [CheckedContinuation<Resource, Never>] = []

    /// A pool of `resources`, at least one.
    package init(_ resources: [Resource]) { idle = resources }

    /// What `use` makes of one of them, which is lent until it returns.
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
