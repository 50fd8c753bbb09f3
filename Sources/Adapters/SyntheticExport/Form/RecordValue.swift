/// The `value` of a record: a name, or a decimal number stored as an integer so that every machine prints the same
/// text.
enum RecordValue: Sendable {
    /// The number `units` ÷ 10^`decimals`, printed without trailing zeros.
    case number(Int64, decimals: Int = 0)
    case name([UInt8])

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .name(let name): bytes.append(contentsOf: name)
        case .number(let units, let decimals): Self.append(units, decimals, to: &bytes)
        }
    }

    var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ units: Int64, _ decimals: Int, to bytes: inout [UInt8]) {
        if units < 0 { bytes.append(0x2D) }
        var rest = units.magnitude
        var decimals = decimals
        while decimals > 0, rest.isMultiple(of: 10) {
            rest /= 10
            decimals -= 1
        }
        let start = bytes.count
        var written = 0
        repeat {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            written += 1
            if written == decimals { bytes.append(0x2E) }
        } while rest > 0 || written <= decimals
        bytes[start...].reverse()
    }
}
