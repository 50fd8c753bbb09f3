/// What putting on or taking off a shoe led to.
package struct ShoeSwitch: Sendable, Hashable {
    /// The session that began; `nil` when none did.
    package var started: ShoeSession?
    /// The session that ended; `nil` when none did.
    package var stopped: ShoeSession?

    package init(started: ShoeSession? = nil, stopped: ShoeSession? = nil) {
        self.started = started
        self.stopped = stopped
    }
}
