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
    /// What changed, to undo it.
    package var change: SessionChange

    package init(ranges: [InstantRange], taken: [Shoe.ID: Int64], change: SessionChange = SessionChange()) {
        self.ranges = ranges
        self.taken = taken
        self.change = change
    }
}

/// The sessions that an action replaced, and those that replaced them.
package struct SessionChange: Sendable, Hashable {
    package var before: [ShoeSession] = []
    package var after: [ShoeSession] = []

    package init() {}

    package init(from before: ShoeSessions, to after: ShoeSessions) {
        let (old, new) = (Set(before.all), Set(after.all))
        self.before = before.all.filter { !new.contains($0) }
        self.after = after.all.filter { !old.contains($0) }
    }
}
