/// A point at which the first callers wait for each other, so that a test knows that they run at the same time.
package actor Rendezvous {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a point at which `count` callers meet; later callers do not wait.
    package init(of count: Int) { missing = count }

    /// Returns once `count` callers have arrived.
    package func arrive() async {
        missing -= 1
        if missing > 0 {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            for caller in waiting { caller.resume() }
            waiting = []
        }
    }
}
