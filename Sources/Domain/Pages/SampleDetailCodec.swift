/// The codec of the sparse part of a page: for each sample with details its index, a bit set of the members present,
/// and those members.
enum SampleDetailCodec {
    static func write(_ details: [Int: SampleDetail], to writer: inout LittleEndianWriter) {
        writer.put(UInt32(details.count), width: 4)
        for (index, detail) in details.sorted(by: { $0.key < $1.key }) {
            writer.put(UInt32(index), width: 4)
            writer.put(members(of: detail), width: 1)
            if let text = detail.externalID { writer.put(text: text) }
            if let version = detail.syncVersion { writer.put(UInt64(bitPattern: version), width: 8) }
            if let minimum = detail.minimum { writer.put(minimum.bitPattern, width: 8) }
            if let maximum = detail.maximum { writer.put(maximum.bitPattern, width: 8) }
            if let count = detail.measurementCount { writer.put(UInt64(bitPattern: Int64(count)), width: 8) }
            if let length = detail.stateMilliseconds { writer.put(UInt64(bitPattern: length), width: 8) }
        }
    }

    static func read(count: Int, from reader: inout LittleEndianReader) throws(DamagedPage) -> [Int: SampleDetail] {
        var details: [Int: SampleDetail] = [:]
        for _ in 0..<Int(try reader.number(width: 4)) {
            let index = Int(try reader.number(width: 4))
            guard index < count else { throw DamagedPage() }
            let members = try reader.number(width: 1)
            var detail = SampleDetail()
            if members & 1 != 0 { detail.externalID = try reader.text() }
            if members & 2 != 0 { detail.syncVersion = Int64(bitPattern: try reader.number(width: 8)) }
            if members & 4 != 0 { detail.minimum = Double(bitPattern: try reader.number(width: 8)) }
            if members & 8 != 0 { detail.maximum = Double(bitPattern: try reader.number(width: 8)) }
            if members & 16 != 0 { detail.measurementCount = Int(truncatingIfNeeded: try reader.number(width: 8)) }
            if members & 32 != 0 { detail.stateMilliseconds = Int64(bitPattern: try reader.number(width: 8)) }
            details[index] = detail
        }
        return details
    }

    private static func members(of detail: SampleDetail) -> UInt8 {
        let present = [
            detail.externalID != nil, detail.syncVersion != nil, detail.minimum != nil, detail.maximum != nil,
            detail.measurementCount != nil, detail.stateMilliseconds != nil,
        ]
        return present.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 }
    }
}
