import Foundation
import HealthSyncDomain

/// Traverses the structure of a JSON text without decoding it, to find the byte ranges of values.
///
/// Values are decoded by the JSON library. The cursor serves files that are large, truncated or damaged in places, for
/// which a library that decodes a text as a whole returns nothing.
struct JSONCursor {
    /// The error for text that is not valid JSON from `offset` on.
    struct Broken: Error {
        let offset: Int
    }

    private static let deepestNesting = 512

    private let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Enters the object at the position; returns `false` without moving if there is another value.
    mutating func enterObject() throws(Broken) -> Bool { try enter(0x7B) }

    /// Enters the array at the position; returns `false` without moving if there is another value.
    mutating func enterArray() throws(Broken) -> Bool { try enter(0x5B) }

    /// Moves to the value of the object's next member and returns its name; after the last member, moves past the brace
    /// and returns `nil`.
    mutating func nextMember(first: Bool) throws(Broken) -> String? {
        guard try moveToItem(before: 0x7D, first: first) else { return nil }
        guard bytes[position] == 0x22 else { throw Broken(offset: position) }
        let name = text(try skipValue())
        guard try next() == 0x3A else { throw Broken(offset: position) }
        position += 1
        return name ?? ""
    }

    /// Moves to the array's next element; after the last element, moves past the bracket and returns `false`.
    mutating func nextElement(first: Bool) throws(Broken) -> Bool { try moveToItem(before: 0x5D, first: first) }

    /// Skips the value at the position and returns its byte range.
    mutating func skipValue() throws(Broken) -> Range<Int> {
        let start = try begin()
        switch bytes[start] {
        case 0x22: try skipString()
        case 0x7B, 0x5B: try skipContainer()
        case 0x2C, 0x3A, 0x5D, 0x7D: throw Broken(offset: start)
        default: while position < bytes.count, !Self.endsScalar(bytes[position]) { position += 1 }
        }
        return start..<position
    }

    /// Returns the string in `range`; `nil` if it is not a valid string.
    func text(_ range: Range<Int>) -> String? {
        let inner = bytes[range].dropFirst().dropLast()
        guard range.count >= 2, bytes[range.lowerBound] == 0x22, bytes[range.upperBound - 1] == 0x22 else { return nil }
        if !inner.contains(where: { $0 == 0x5C || $0 < 0x20 }) { return String(validating: inner, as: UTF8.self) }
        return try? JSONDecoder().decode(String.self, from: Data(bytes[range]))
    }

    private mutating func enter(_ bracket: UInt8) throws(Broken) -> Bool {
        guard bytes[try begin()] == bracket else { return false }
        position += 1
        return true
    }

    private mutating func moveToItem(before closing: UInt8, first: Bool) throws(Broken) -> Bool {
        var byte = try next()
        if byte == closing {
            position += 1
            return false
        }
        if !first {
            guard byte == 0x2C else { throw Broken(offset: position) }
            position += 1
            byte = try next()
        }
        return true
    }

    /// Returns the position of the next byte that is not white space.
    private mutating func begin() throws(Broken) -> Int {
        _ = try next()
        return position
    }

    private mutating func next() throws(Broken) -> UInt8 {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count else { throw Broken(offset: bytes.count) }
        return bytes[position]
    }

    private mutating func skipString() throws(Broken) {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case 0x22:
                position += 1
                return
            case 0x5C: position += 2
            default: position += 1
            }
        }
        throw Broken(offset: bytes.count)
    }

    private mutating func skipContainer() throws(Broken) {
        var closers: [UInt8] = []
        repeat {
            switch try next() {
            case 0x22:
                try skipString()
                continue
            case 0x7B: closers.append(0x7D)
            case 0x5B: closers.append(0x5D)
            case 0x7D, 0x5D:
                guard closers.popLast() == bytes[position] else { throw Broken(offset: position) }
            default: break
            }
            guard closers.count <= Self.deepestNesting else { throw Broken(offset: position) }
            position += 1
        } while !closers.isEmpty
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    fileprivate static func endsScalar(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == 0x2C || byte == 0x5D || byte == 0x7D || byte == 0x5B || byte == 0x7B || byte == 0x22
    }
}

extension JSONCursor {
    /// A sample has about a dozen members; comparing many more would take quadratic time.
    private static let mostCompared = 64

    /// Returns the name of a member that the object at `position` of `bytes` contains twice; `nil` without one, and for
    /// another value.
    static func repeatedMember(in bytes: [UInt8], at position: Int = 0) -> String? {
        var cursor = JSONCursor(bytes, at: position)
        var names: [ExactText] = []
        do throws(Broken) {
            guard try cursor.enterObject() else { return nil }
            while let name = try cursor.nextMember(first: names.isEmpty) {
                if names.contains(ExactText(name)) { return name }
                guard names.count < mostCompared else { return nil }
                names.append(ExactText(name))
                _ = try cursor.skipValue()
            }
            return nil
        } catch {
            return nil
        }
    }
}

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
