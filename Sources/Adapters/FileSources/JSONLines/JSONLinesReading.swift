import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// One pass over a file of JSON lines, with its account.
struct JSONLinesReading {
    private(set) var account = SourceReading()
    private var meaning: JSONLineMeaning
    private var delivery: SampleDelivery
    private let decoder = JSONDecoder()
    private var metObject = false
    private var metOther = false

    init(_ selection: SampleSelection, hasher: any ContentHasher, delivery: SampleDelivery) {
        meaning = JSONLineMeaning(selection, hasher: hasher)
        self.delivery = delivery
    }

    /// Whether there were lines and none of them was a JSON object.
    var isForeign: Bool { metOther && !metObject }

    mutating func take(_ line: LineReader.Line) throws {
        guard let bytes = line.bytes else {
            if line.isTerminated { refuse("line over 1 MiB", at: line.offset) } else { breakOff(at: line.offset) }
            return
        }
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
        switch Self.content(of: bytes, decoder) {
        case .object(let fields): try deliver(fields, at: line.offset)
        case .objectWithFault(let reason): refuse(reason, at: line.offset)
        case .other(let reason):
            metOther = metOther || line.isTerminated || bytes.first != 0x7B
            if line.isTerminated { refuse(reason, at: line.offset) } else { breakOff(at: line.offset) }
            return
        }
        metObject = true
    }

    /// Hands over what is still collected.
    mutating func finish() throws { try delivery.flush() }

    private mutating func deliver(_ fields: JSONLine, at offset: Int64) throws {
        do {
            guard let sample = try meaning.sample(of: fields) else {
                account.recordsRead += 1
                account.notSelected += 1
                return
            }
            account.recordsRead += 1
            try delivery.add(sample)
        } catch let refused as RefusedRecord {
            refuse(refused.reason, refused.detail, at: offset)
        }
    }

    private mutating func refuse(_ reason: String, _ detail: String? = nil, at offset: Int64) {
        account.recordsRead += 1
        account.refused[reason, default: 0] += 1
        account.note("line refused: \(detail ?? reason)", at: offset)
    }

    private mutating func breakOff(at offset: Int64) {
        account.incompleteAtByte = offset
        account.note("the file ends within a line", at: offset)
    }

    private enum Content {
        case object(JSONLine)
        case objectWithFault(String)
        case other(String)
    }

    private static func content(of bytes: Data, _ decoder: JSONDecoder) -> Content {
        // The decoder would take bytes with zeros between them for UTF-16 or UTF-32.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return .other("not UTF-8") }
        do {
            return .object(try decoder.decode(JSONLine.self, from: bytes))
        } catch {
            let reason = RefusedRecord(error).reason
            return isAboutField(error) ? .objectWithFault(reason) : .other(reason)
        }
    }

    private static func isAboutField(_ error: any Error) -> Bool {
        switch error as? DecodingError {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            !context.codingPath.isEmpty
        default: false
        }
    }
}
