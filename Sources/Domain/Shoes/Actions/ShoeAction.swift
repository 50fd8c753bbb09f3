/// An action of the user on shoes, as a function of the shoes and sessions.
package struct ShoeAction<Result: Sendable>: Sendable {
    /// Applies the action.
    ///
    /// - Throws: `SyncFailure` with `.usage` for an invalid action, and with `.noInput` for a shoe that does not exist.
    package let apply: @Sendable (inout ShoeCloset) throws(SyncFailure) -> Result
}

extension ShoeAction<Shoe> {
    /// Adds a shoe to the collection. If `isDefault`, it replaces the current default shoe.
    package static func add(_ details: ShoeDetails, isDefault: Bool) -> Self {
        Self { closet throws(SyncFailure) in
            var shoe = Shoe(
                id: closet.newID(), details: try details.checked(today: closet.today), addedAt: closet.now)
            if isDefault {
                closet.clearDefault()
                shoe.defaultSince = closet.now
            }
            closet.shoes.append(shoe)
            return shoe
        }
    }

    /// Replaces the details of a shoe.
    package static func edit(_ id: Shoe.ID, _ details: ShoeDetails) -> Self {
        Self { closet throws(SyncFailure) in
            let index = try closet.index(of: id)
            closet.shoes[index].details = try details.checked(today: closet.today)
            return closet.shoes[index]
        }
    }

    /// Archives a shoe. It keeps its sessions and totals, but can be neither started nor the default. A shoe that is
    /// being worn is rejected. Idempotent.
    package static func archive(_ id: Shoe.ID) -> Self {
        Self { closet throws(SyncFailure) in
            let index = try closet.unwornIndex(of: id)
            if !closet.shoes[index].isArchived {
                closet.shoes[index].archivedAt = closet.now
                closet.shoes[index].defaultSince = nil
            }
            return closet.shoes[index]
        }
    }

    /// Restores an archived shoe. Idempotent.
    package static func unarchive(_ id: Shoe.ID) -> Self {
        Self { closet throws(SyncFailure) in
            let index = try closet.index(of: id)
            closet.shoes[index].archivedAt = nil
            return closet.shoes[index]
        }
    }
}

extension ShoeAction<Shoe?> {
    /// Makes a shoe the default from today on; `nil` for none. An archived shoe cannot be the default.
    package static func setDefault(_ id: Shoe.ID?) -> Self {
        Self { closet throws(SyncFailure) in
            guard let id else {
                closet.clearDefault()
                return nil
            }
            let index = try closet.wearableIndex(of: id)
            let since = closet.shoes[index].defaultSince ?? closet.now
            closet.clearDefault()
            closet.shoes[index].defaultSince = since
            return closet.shoes[index]
        }
    }
}

extension ShoeAction<ShoeDeletion> {
    /// Deletes a shoe. Its figures become unattributed and stay so: no other shoe starts automatically on the days of
    /// its sessions. A shoe that is being worn is rejected.
    package static func delete(_ id: Shoe.ID) -> Self {
        Self { closet throws(SyncFailure) in
            let shoe = closet.shoes.remove(at: try closet.unwornIndex(of: id))
            let removed = closet.sessions.all.filter { $0.shoe == id }
            closet.sessions = ShoeSessions(closet.sessions.all.filter { $0.shoe != id })
            for session in removed { closet.settle(session) }
            return ShoeDeletion(shoe: shoe, sessions: removed)
        }
    }
}

extension ShoeCloset {
    /// Settles the days of a session, so that no shoe starts automatically on them.
    fileprivate mutating func settle(_ session: ShoeSession) {
        let range = session.interval(until: now)
        let last = clock.day(of: max(range.start, range.end.advanced(byMilliseconds: -1)))
        for day in DayRange(clock.day(of: range.start), through: last) ?? DayRange(last) {
            settled.insert(SettledHours(day: day, start: max(range.start, clock.start(of: day))))
        }
    }
}
