/// The result of starting or ending a session.
package struct ShoeSwitch: Sendable, Hashable {
    /// The session that began; `nil` if none did.
    package var started: ShoeSession?
    /// The session that ended; `nil` if none did.
    package var stopped: ShoeSession?

    package init(started: ShoeSession? = nil, stopped: ShoeSession? = nil) {
        self.started = started
        self.stopped = stopped
    }
}
