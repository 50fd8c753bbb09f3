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

/// A shoe that was deleted.
package struct ShoeDeletion: Sendable, Hashable {
    package var shoe: Shoe
    /// The sessions deleted with it.
    package var sessions: [ShoeSession]

    package init(shoe: Shoe, sessions: [ShoeSession]) {
        self.shoe = shoe
        self.sessions = sessions
    }
}

/// The result of assigning hours to a shoe, or of clearing them.
package struct HourAttribution: Sendable, Hashable {
    /// The intervals that were assigned or cleared, ascending.
    package var ranges: [InstantRange]
    /// The milliseconds taken from each shoe within them.
    package var taken: [Shoe.ID: Int64]

    package init(ranges: [InstantRange], taken: [Shoe.ID: Int64]) {
        self.ranges = ranges
        self.taken = taken
    }
}
