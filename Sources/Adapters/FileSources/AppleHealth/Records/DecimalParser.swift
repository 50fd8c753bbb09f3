import Foundation
import HealthSyncDomain

/// Parses decimal numbers with correct rounding. `nan`, `inf` and hexadecimal are not accepted.
struct DecimalParser {
    // The powers of ten that a double represents exactly.
    private let powers: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 } }

    /// Returns the finite number in `range`; `nil` if it is not one.
    @inline(__always)
    func number(_ window: ByteWindow, _ range: ByteRange) -> Double? {
        var scale: Int8 = 0
        return number(window, range, &scale)
    }

    /// Returns the finite number in `range`, and sets the number of its decimals (`WrittenValue.scale`).
    @inline(__always)
    func number(_ window: ByteWindow, _ range: ByteRange, _ scale: inout Int8) -> Double? {
        // The digits fit into a double's 53 bits, and the power of ten is exact, so the single division rounds once
        // (Clinger's fast path).
        var index = range.start
        let isNegative = window[index] == 0x2D && index < range.end
        if isNegative { index &+= 1 }
        let first = index
        var digits: UInt64 = 0
        var fraction = 0
        while index < range.end {
            let digit = window[index] &- 0x30
            guard digit < 10 else { break }
            digits = digits &* 10 &+ UInt64(digit)
            index &+= 1
        }
        if index > first, index &+ 1 < range.end, window[index] == 0x2E {
            let point = index
            index &+= 1
            while index < range.end {
                let digit = window[index] &- 0x30
                guard digit < 10 else { break }
                digits = digits &* 10 &+ UInt64(digit)
                index &+= 1
            }
            fraction = index &- point &- 1
        }
        guard index == range.end, index > first, index &- first <= 16, digits < 1 << 53 else {
            return slowNumber(window, range, &scale)
        }
        scale = Int8(truncatingIfNeeded: fraction)
        let magnitude = Double(digits) / powers[fraction]
        return isNegative ? -magnitude : magnitude
    }

    private func slowNumber(_ window: ByteWindow, _ range: ByteRange, _ scale: inout Int8) -> Double? {
        guard range.count < 65_536 else { return nil }
        let bytes = AttributeText(window, range).bytes
        guard Self.isDecimal(bytes), let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
            return nil
        }
        scale =
            DecimalPlaces.decimals(inText: bytes).map { DecimalPlaces.scale(of: value, decimals: $0) }
            ?? WrittenValue.full
        return value
    }

    /// Returns whether `bytes` are `[+-]digits[.digits][e[+-]digits]` with a digit on one side of the point.
    private static func isDecimal(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        func dropDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
            let before = rest.count
            rest = rest.drop { (0x30...0x39).contains($0) }
            return before - rest.count
        }
        if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
        var digits = dropDigits(&rest)
        if rest.first == 0x2E {
            rest = rest.dropFirst()
            digits += dropDigits(&rest)
        }
        guard digits > 0 else { return false }
        if rest.first == 0x65 || rest.first == 0x45 {
            rest = rest.dropFirst()
            if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
            guard dropDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }
}
