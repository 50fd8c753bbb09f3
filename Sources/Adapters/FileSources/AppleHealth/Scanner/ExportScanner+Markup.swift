import HealthSyncDomain

extension ExportScanner {
    /// Scans the markup whose `<` is at `start`.
    @inline(__always)
    mutating func markup(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        guard start + 1 < window.count else { return .needsMore }
        let first = window[start + 1]
        if AttributeReader.beginsName(first) { return try startTag(window, start) }
        switch first {
        case 0x2F: return try endTag(window, start)
        case 0x21: return declaration(window, start)
        case 0x3F: return .skip(.instruction, start + 2)
        default: return .broken
        }
    }

    /// Scans `<!--`, `<![CDATA[`, or before the root any part of the document type, which is not interpreted.
    private func declaration(_ window: ByteWindow, _ start: Int) -> MarkupStep {
        if window.word(start) & 0xFFFF_FFFF == 0x2D2D_213C {  // <!--
            return .skip(.comment, start + 4)
        }
        if window[start + 8] == 0x5B, window.word(start) == 0x4154_4144_435B_213C {  // <![CDATA[
            return .skip(.characterData, start + 9)
        }
        if window.count - start < 9 { return .needsMore }
        return hasRoot ? .broken : .next(start + 2)
    }

    @inline(__always)
    private mutating func endTag(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        // `</Record>` if only the record is open.
        if openRecord != nil, stack.depth == 2, window.word(start) == 0x6472_6F63_6552_2F3C, window[start + 8] == 0x3E {
            try close(names.record, at: start)
            return .next(start + 9)
        }
        return try otherEndTag(window, start)
    }

    private mutating func otherEndTag(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        let nameEnd = AttributeReader.skipName(window, start + 2)
        let bracket = AttributeReader.skipSpace(window, nameEnd)
        guard bracket < window.count else { return .needsMore }
        guard window[bracket] == 0x3E, nameEnd > start + 2 else { return .broken }
        guard hasRoot else { return .next(bracket + 1) }
        try close(ElementStack.name(window, ByteRange(start: start + 2, end: nameEnd)), at: start)
        return .next(bracket + 1)
    }

    /// Closes the innermost element with this name, whose end tag is at `start`.
    @inline(__always)
    private mutating func close(_ name: UInt64, at start: Int) throws {
        let closed = stack.pop(name)
        let offset = windowOffset + Int64(start)
        if closed == 0 { account.noteSkipped("end tag without a start", at: offset) }
        if closed > 1 { account.noteSkipped("element without an end", at: offset) }
        if stack.depth < 2, let began = openRecord {
            openRecord = nil
            if isRowOpen {
                isRowOpen = false
                if closed == 1 { try deliverRow(at: began) } else { account.reject(.notClosed) }
            }
        }
    }

    @inline(__always)
    private mutating func startTag(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        // `<Record` followed by a byte that cannot continue the name.
        if window.word(start) & 0xFF_FFFF_FFFF_FFFF == 0x64_726F_6365_523C, stack.depth == 1 {
            let following = window[start + 7]
            if AttributeReader.isSpace(following) || following == 0x3E || following == 0x2F {
                return try record(window, start)
            }
        }
        if stack.depth == 2, let length = silentChildren.match(window, start) { return .next(start + length) }
        return stack.depth > 2 ? innerStartTag(window, start) : try otherStartTag(window, start)
    }

    @inline(__always)
    private mutating func record(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        let end: TagEnd
        switch tags.read(window, start, nameEnd: start + 7, &decoder.interners) {
        case .end(let found): end = found
        case .needsMore: return .needsMore
        case .attribute, .broken: return .broken
        }
        let offset = windowOffset + Int64(start)
        isRowOpen = false
        if tags.tag.isSkipped {
            account.countNotSelected(Int(tags.tag.type.id))
            if decoder.isUnread(tags.tag) { noteUnread(at: offset) }
        } else if let reason = decoder.decode(tags.tag, window, into: &row) {
            reject(reason, window, at: offset)
        } else {
            metadata = RecordMetadata()
            if identity != nil { identity = nil }
            if end.isEmptyElement { try deliverRow(at: offset) } else { isRowOpen = true }
        }
        if !end.isEmptyElement {
            stack.push(names.record)
            openRecord = offset
        }
        return .next(end.next)
    }

    /// Counts a record of a type that is not read although all types are selected by the name of the type.
    private mutating func noteUnread(at offset: Int64) {
        let type = decoder.typeName(of: tags.tag)
        account.countSkipped(String(type.prefix(64)))
        account.noteOnce("records of \(type.prefix(64)) are not read: it is no quantity and no category", at: offset)
    }

    private mutating func reject(_ reason: RejectionReason, _ window: ByteWindow, at offset: Int64) {
        account.reject(reason)
        if reason == .unknownUnit { account.noteOnce(decoder.unitProblem(tags.tag), at: offset) }
        if reason == .unknownState {
            account.noteOnce(decoder.stateProblem(tags.tag, window), at: offset)
        }
        if reason == .damagedType { account.note(tags.tag.faults, at: offset) }
    }

    private mutating func otherStartTag(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        let nameEnd = AttributeReader.skipName(window, start + 1)
        guard nameEnd < window.count else { return .needsMore }
        let name = ElementStack.name(window, ByteRange(start: start + 1, end: nameEnd))
        guard hasRoot else { return root(window, nameEnd, isRoot: name == names.healthData) }
        if name == names.record, stack.depth == 2, let began = openRecord {
            closeUnclosedRecord(at: began)
            return try record(window, start)
        }
        let step: AttributeStep
        if name == names.metadataEntry, stack.depth == 2, isRowOpen {
            step = metadataEntry(window, start, nameEnd)
        } else if name == names.exportDate, stack.depth == 1 {
            step = exportDate(window, nameEnd)
        } else {
            step = AttributeReader.endOfTag(window, nameEnd)
        }
        switch step {
        case .end(let end):
            if stack.depth == 0 {
                stopAfterEnd(at: windowOffset + Int64(start))
            } else if stack.depth == 1 || openRecord != nil && stack.depth == 2 && name != names.metadataEntry {
                countSkipped(name, window, ByteRange(start: start + 1, end: nameEnd))
            }
            if stack.depth > 0, !end.isEmptyElement {
                stack.push(name)
            }
            return .next(end.next)
        case .needsMore: return .needsMore
        case .attribute, .broken: return .broken
        }
    }

    /// Skips the start tag of an element inside a child of a record, or deeper, where no element is interpreted.
    private mutating func innerStartTag(_ window: ByteWindow, _ start: Int) -> MarkupStep {
        switch AttributeReader.endOfTag(window, start + 1) {
        case .end(let end):
            if !end.isEmptyElement {
                let nameEnd = AttributeReader.skipName(window, start + 1)
                stack.push(ElementStack.name(window, ByteRange(start: start + 1, end: nameEnd)))
            }
            return .next(end.next)
        case .needsMore: return .needsMore
        case .attribute, .broken: return .broken
        }
    }

    /// Counts an element directly below the root that is not a record, or one in a record that is not metadata. The
    /// records of a correlation also occur below the root, so only the pairing is skipped.
    private mutating func countSkipped(_ name: UInt64, _ window: ByteWindow, _ range: ByteRange) {
        guard ![names.exportDate, names.me, names.record].contains(name) else { return }
        let text = (range.start..<min(range.end, range.start + 64)).map { window[$0] }
        account.countSkipped(String(decoding: text, as: UTF8.self))
    }

    private mutating func root(_ window: ByteWindow, _ nameEnd: Int, isRoot: Bool) -> MarkupStep {
        guard isRoot else { return .next(nameEnd) }
        switch AttributeReader.endOfTag(window, nameEnd) {
        case .end(let end):
            hasRoot = true
            if !end.isEmptyElement { stack.push(names.healthData) }
            return .next(end.next)
        case .needsMore: return .needsMore
        case .attribute, .broken: return .broken
        }
    }

    /// Records are never nested: if one begins inside another, the end of the outer one is missing.
    private mutating func closeUnclosedRecord(at began: Int64) {
        account.noteSkipped("record without an end", at: began)
        if isRowOpen { account.reject(.notClosed) }
        isRowOpen = false
        openRecord = nil
        _ = stack.pop(names.record)
    }
}
