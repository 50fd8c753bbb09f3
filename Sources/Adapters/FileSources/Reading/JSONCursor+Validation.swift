extension JSONCursor {
    /// Throws unless the bytes in `range` are exactly one JSON value between white space, so that traversing it cannot
    /// fail later. Does not check that strings are UTF-8 and that scalars are valid.
    static func requireWhole(_ bytes: [UInt8], in range: Range<Int>) throws(Broken) {
        var check = JSONStructure(bytes, range)
        try check.run()
    }
}

/// Checks the structure of a JSON text in one pass, without decoding it.
private struct JSONStructure {
    private enum Expected {
        case value
        case valueOrEnd
        case name
        case nameOrEnd
        case colon
        case separator
    }

    private static let deepestNesting = 512

    private let bytes: [UInt8]
    private let end: Int
    private var position: Int
    private var closers: [UInt8] = []
    private var expected = Expected.value

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func run() throws(JSONCursor.Broken) {
        repeat {
            let byte = try next()
            switch expected {
            case .value: try value(byte)
            case .valueOrEnd: if byte == 0x5D { try close(byte) } else { try value(byte) }
            case .name: try name(byte)
            case .nameOrEnd: if byte == 0x7D { try close(byte) } else { try name(byte) }
            case .colon:
                guard byte == 0x3A else { throw JSONCursor.Broken(offset: position) }
                position += 1
                expected = .value
            case .separator: try separator(byte)
            }
        } while !closers.isEmpty || expected != .separator
        while position < end, JSONCursor.isSpace(bytes[position]) { position += 1 }
        guard position == end else { throw JSONCursor.Broken(offset: position) }
    }

    private mutating func next() throws(JSONCursor.Broken) -> UInt8 {
        while position < end, JSONCursor.isSpace(bytes[position]) { position += 1 }
        guard position < end else { throw JSONCursor.Broken(offset: end) }
        return bytes[position]
    }

    private mutating func value(_ byte: UInt8) throws(JSONCursor.Broken) {
        switch byte {
        case 0x7B: try open(0x7D, then: .nameOrEnd)
        case 0x5B: try open(0x5D, then: .valueOrEnd)
        case 0x22:
            try string()
            expected = .separator
        default:
            let start = position
            while position < end, !JSONCursor.endsScalar(bytes[position]), bytes[position] != 0x3A {
                position += 1
            }
            guard position > start else { throw JSONCursor.Broken(offset: start) }
            expected = .separator
        }
    }

    private mutating func name(_ byte: UInt8) throws(JSONCursor.Broken) {
        guard byte == 0x22 else { throw JSONCursor.Broken(offset: position) }
        try string()
        expected = .colon
    }

    private mutating func separator(_ byte: UInt8) throws(JSONCursor.Broken) {
        guard byte == 0x2C else { return try close(byte) }
        guard let closer = closers.last else { throw JSONCursor.Broken(offset: position) }
        position += 1
        expected = closer == 0x7D ? .name : .value
    }

    private mutating func open(_ closer: UInt8, then next: Expected) throws(JSONCursor.Broken) {
        guard closers.count < Self.deepestNesting else { throw JSONCursor.Broken(offset: position) }
        closers.append(closer)
        position += 1
        expected = next
    }

    private mutating func close(_ byte: UInt8) throws(JSONCursor.Broken) {
        guard closers.popLast() == byte else { throw JSONCursor.Broken(offset: position) }
        position += 1
        expected = .separator
    }

    private mutating func string() throws(JSONCursor.Broken) {
        position += 1
        while position < end {
            switch bytes[position] {
            case 0x22:
                position += 1
                return
            case 0x5C: position += 2
            default: position += 1
            }
        }
        throw JSONCursor.Broken(offset: end)
    }
}
