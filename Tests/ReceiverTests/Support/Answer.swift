import Foundation
import HealthSyncTestKit

/// A response as received.
struct Answer {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw ContractViolation("no response, but: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            if sides.count == 2 { headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces) }
        }
        self.headers = headers
        let content = Array(bytes[end.upperBound...])
        body = headers["transfer-encoding"] == "chunked" ? try Self.joined(content) : content
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    func json() throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(body))
        guard let object = value as? [String: Any] else { throw ContractViolation("not a JSON object: \(text)") }
        return object
    }

    /// Joins the chunks of a chunked body; throws if the last chunk is missing.
    private static func joined(_ bytes: [UInt8]) throws -> [UInt8] {
        var rest = bytes[...]
        var joined: [UInt8] = []
        while let line = rest.firstRange(of: Array("\r\n".utf8)) {
            guard let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16),
                rest.endIndex - line.upperBound >= size + 2
            else { break }
            if size == 0 { return joined }
            joined += rest[line.upperBound..<line.upperBound + size]
            rest = rest[(line.upperBound + size + 2)...]
        }
        throw ContractViolation("the chunked body is incomplete")
    }
}
