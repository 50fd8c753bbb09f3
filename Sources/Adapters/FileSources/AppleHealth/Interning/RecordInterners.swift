import HealthSyncDomain

/// The interners of all texts in records.
struct RecordInterners {
    var types: TypeInterner
    var sources = TextInterner()
    var devices = DeviceInterner()
    var units = TextInterner()
    var zones = TextInterner()

    /// Creates interners that use `types` for types.
    init(types: TypeInterner) { self.types = types }
}

/// Maps the raw bytes of a `device` attribute to the number of the device's stable part.
///
/// HealthKit writes `<<HKDevice: 0x282e3a260>, name:Apple Watch, …>` with a memory address that may differ from record
/// to record, so the bytes after the address are looked up. The descriptions of a device before and after an update
/// have the same number (`DeviceText`).
struct DeviceInterner {
    private var addressed = RawTextCache()
    private var other = RawTextCache()
    private var table = TextNumbers()
    private let escapedOpening = Array("&lt;&lt;HKDevice: 0x".utf8)

    /// The stable parts, by number.
    var strings: [String] { table.strings }

    /// Returns the number of the stable part of the device in `range`.
    @inline(__always)
    mutating func intern(_ window: ByteWindow, _ range: ByteRange) -> InternedText {
        guard let rest = afterAddress(window, range) else {
            return other.text(window, range) ?? add(window, range, lookedUp: range, isAddressed: false)
        }
        return addressed.text(window, rest) ?? add(window, range, lookedUp: rest, isAddressed: true)
    }

    /// Returns the range after the address, if it is escaped the way Apple does.
    @inline(__always)
    private func afterAddress(_ window: ByteWindow, _ range: ByteRange) -> ByteRange? {
        guard range.count > escapedOpening.count,
            window.matches(range.start, escapedOpening, 0, escapedOpening.count)
        else { return nil }
        let first = range.start + escapedOpening.count
        var index = first
        while index < range.end, Self.isHexadecimal(window[index]) { index += 1 }
        // Only a following `&gt;` makes it an address.
        guard index > first, range.end - index >= 4, window.word(index) & 0xFFFF_FFFF == 0x3B74_6726 else { return nil }
        return ByteRange(start: index, end: range.end)
    }

    private mutating func add(
        _ window: ByteWindow, _ range: ByteRange, lookedUp: ByteRange, isAddressed: Bool
    ) -> InternedText {
        let text = AttributeText(window, range)
        guard let id = table.id(of: Self.stablePart(of: text.bytes)) else { return .overflow }
        let interned = InternedText(id: id, faults: text.faults)
        if isAddressed {
            addressed.remember(window, lookedUp, as: interned)
        } else {
            other.remember(window, lookedUp, as: interned)
        }
        return interned
    }

    /// Returns `name:Apple Watch, …` from `<<HKDevice: 0x…>, name:Apple Watch, …>`, without the parts that change with
    /// updates.
    static func stablePart(of device: [UInt8]) -> [UInt8] { DeviceText.stablePart(of: withoutAddress(device)) }

    /// Returns `name:Apple Watch, …` from `<<HKDevice: 0x…>, name:Apple Watch, …>`, and other texts unchanged.
    private static func withoutAddress(_ device: [UInt8]) -> [UInt8] {
        let opening = Array("<<HKDevice: 0x".utf8)
        guard device.starts(with: opening) else { return device }
        var rest = device.dropFirst(opening.count)
        let digits = rest.prefix { isHexadecimal($0) }
        guard !digits.isEmpty, rest.dropFirst(digits.count).first == 0x3E else { return device }
        rest = rest.dropFirst(digits.count + 1)
        if rest.starts(with: [0x2C, 0x20]) { rest = rest.dropFirst(2) }
        if rest.last == 0x3E { rest = rest.dropLast() }
        return Array(rest)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}

/// Assigns numbers to origins: source, device and whether the user entered the sample.
struct OriginInterner {
    private var indices: [UInt64: UInt32] = [:]
    private var lastKey = UInt64.max
    private var lastIndex: UInt32 = 0

    /// Returns the index of an origin in `tables`, adding it if it is new; `nil` beyond the limit.
    @inline(__always)
    mutating func index(
        source: Int32, device: Int32, isUserEntered: Bool, in tables: inout SampleBatch.Tables,
        make: () -> SampleOrigin
    ) -> UInt32? {
        // Numbers start at -2, which means none.
        let key = UInt64(UInt32(source &+ 2)) << 32 | UInt64(UInt32(device &+ 2)) << 1 | (isUserEntered ? 1 : 0)
        if key == lastKey { return lastIndex }
        guard let index = indices[key] ?? add(key, &tables, make) else { return nil }
        (lastKey, lastIndex) = (key, index)
        return index
    }

    private mutating func add(
        _ key: UInt64, _ tables: inout SampleBatch.Tables, _ make: () -> SampleOrigin
    ) -> UInt32? {
        guard tables.origins.count < TextNumbers.limit else { return nil }
        let index = UInt32(tables.origins.count)
        tables.origins.append(make())
        indices[key] = index
        return index
    }
}
