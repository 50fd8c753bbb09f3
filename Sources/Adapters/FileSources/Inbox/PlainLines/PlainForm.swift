import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The fields of a form. A field with several lines contains the values of several samples, as Shortcuts writes a list; a
/// field with one line applies to all of them.
struct PlainForm {
    private static let largest = 4 << 20
    private static let mostSamples = 100_000

    private var fields: [String: String] = [:]

    /// The fields of a request whose `Content-Type` is a form; `nil` for another request. `curl` states the type of a form
    /// for every body, so a body without a field of a sample is another request as well.
    init?(_ head: InboxHead, _ body: [UInt8]) {
        let type = head.header("content-type")?.asciiLowercased ?? ""
        if type.hasBytePrefix("application/x-www-form-urlencoded") {
            guard body.count <= Self.largest else { return nil }
            for pair in body.split(separator: UInt8(ascii: "&")) {
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                fields[Self.decoded(parts[0])] = Self.decoded(parts[1])
            }
            guard mayContainSamples else { return nil }
        } else if type.hasBytePrefix("multipart/form-data") {
            guard body.count <= Self.largest, let line = TextLines(body).first(where: { _ in true }) else { return }
            addParts(body, boundary: Array(body[line]).filter { $0 > 0x20 })
        } else {
            return nil
        }
    }

    var isEmpty: Bool { fields["type"] == nil || fields["start"] == nil || fields["value"] == nil }

    /// Whether a field of a sample is known, in a body of which only the beginning may be known.
    var mayContainSamples: Bool { ["type", "start", "value"].contains { fields[$0] != nil } }

    var samples: [PlainSample] {
        let columns = fields.mapValues { $0.split(whereSeparator: \.isNewline).map(String.init) }
        let count = min(Self.mostSamples, columns.values.map(\.count).max() ?? 0)
        func value(_ name: String, _ row: Int) -> String {
            guard let column = columns[name] else { return "" }
            return column.count == 1 ? column[0] : row < column.count ? column[row] : ""
        }
        return (0..<count).map { row in
            var sample = PlainSample()
            sample.type = value("type", row)
            sample.start = value("start", row)
            sample.end = value("end", row)
            sample.value = value("value", row)
            sample.unit = value("unit", row)
            sample.source = value("source", row)
            return sample
        }
    }

    private mutating func addParts(_ body: [UInt8], boundary: [UInt8]) {
        var name: String?
        var isContent = false
        var content: [String] = []
        func text(_ range: Range<Int>) -> String {
            String(decoding: body[range].drop { $0 == 0x0D }, as: UTF8.self).filter { $0 != "\r" }
        }
        var position = 0
        while position < body.count {
            let end = body[position...].firstIndex(of: 0x0A) ?? body.count
            let line = position..<end
            position = end + 1
            if body[line].starts(with: boundary) {
                if let name { fields[name] = content.joined(separator: "\n") }
                (name, isContent, content) = (nil, false, [])
            } else if isContent {
                content.append(text(line))
            } else if let header = Self.partName(text(line)) {
                name = header
            } else {
                isContent = !body[line].contains { $0 > 0x20 }
            }
        }
    }

    private static func partName(_ line: String) -> String? {
        guard line.asciiLowercased.hasBytePrefix("content-disposition:"),
            let start = line.utf8.firstRange(of: "name=\"".utf8)
        else { return nil }
        return String(line[start.upperBound...].parts(separatedBy: "\"", maxSplits: 1)[0])
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = HexDigits.value(rest[rest.startIndex]),
                let low = HexDigits.value(rest[rest.startIndex + 1])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
