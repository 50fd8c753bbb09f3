/// The contents of a time zone information file (TZif, RFC 9636), versions 1 to 4.
package struct ZoneFile: Sendable, Hashable {
    /// Instants at which the offset may change, strictly ascending, in seconds since 1970 without leap seconds.
    let transitions: [Int64]
    /// `offsets[0]` applies before the first transition, `offsets[i + 1]` from `transitions[i]` on; seconds east of
    /// UTC.
    let offsets: [Int64]
    /// The rule for times after the last transition; `nil` if the file has none.
    let footer: PosixZoneRule?

    /// Parses the contents of a file; throws `MalformedZoneFile` with the reason if they are invalid.
    package init(_ bytes: [UInt8]) throws(MalformedZoneFile) {
        var reader = ZoneFileReader(bytes)
        var header = try reader.header()
        guard header.version > 1 else {
            (transitions, offsets) = try reader.block(header, timeSize: 4)
            footer = nil
            return
        }
        // The first block repeats the data in 32 bits for readers of version 1.
        try reader.skip(header.blockLength(timeSize: 4))
        header = try reader.header()
        (transitions, offsets) = try reader.block(header, timeSize: 8)
        footer = try reader.footer()
    }

    /// Returns the rules of the file for the zone named `identifier`, from 1900 to 2100.
    ///
    /// The footer applies from the last transition on, and to all times where the file has no transitions (RFC 9636,
    /// section 3.3).
    package func rules(identifier: String) -> ZoneRules {
        var changes = zip(transitions, offsets.dropFirst()).map { PosixZoneRule.Change(instant: $0, offset: $1) }
        var first = offsets[0]
        if let footer {
            let begin = transitions.last ?? ZoneRules.firstSecond
            let offset = footer.offset(at: begin)
            if changes.isEmpty { first = offset } else { changes[changes.count - 1].offset = offset }
            changes += footer.changes(after: begin, before: ZoneRules.lastSecond)
        }
        return ZoneRules(identifier: identifier, first: first, changes: changes)
    }
}

/// Bytes that are not a time zone information file.
package struct MalformedZoneFile: Error, Sendable, Hashable {
    /// The reason why the bytes are invalid.
    package var reason: String
}

extension ZoneRules {
    /// Drops changes without effect and those outside the years that the rules cover.
    fileprivate init(identifier: String, first: Int64, changes: [PosixZoneRule.Change]) {
        var transitions: [Int64] = []
        var offsets = [first]
        for change in changes where change.instant < Self.lastSecond {
            if change.instant <= Self.firstSecond {
                offsets[0] = change.offset
            } else if change.offset != offsets[offsets.count - 1] {
                transitions.append(change.instant)
                offsets.append(change.offset)
            }
        }
        self.init(identifier: identifier, transitions: transitions, offsets: offsets)
    }
}
