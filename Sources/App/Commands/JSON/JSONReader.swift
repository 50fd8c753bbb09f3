import Foundation

/// Reads a JSON document strictly.
enum JSONReader {
    /// The document in `bytes`, or why it is none.
    static func read(_ bytes: [UInt8]) -> Result<JSONValue, Malformed> {
        do {
            return .success(try JSONDecoder().decode(DecodedValue.self, from: Data(bytes)).value)
        } catch DecodingError.dataCorrupted(let context) {
            let detail = (context.underlyingError as? NSError)?.userInfo["NSDebugDescription"] as? String
            return .failure(Malformed(reason: detail ?? context.debugDescription))
        } catch {
            return .failure(Malformed(reason: "\(error)"))
        }
    }

    /// Why a text is no JSON document.
    struct Malformed: Error {
        let reason: String
    }

    private struct DecodedValue: Decodable {
        let value: JSONValue

        init(from decoder: any Decoder) throws {
            if let container = try? decoder.container(keyedBy: Name.self) {
                value = .object(
                    try container.allKeys.map {
                        JSONValue.Member(
                            name: $0.stringValue, value: try container.decode(DecodedValue.self, forKey: $0).value)
                    })
            } else if var container = try? decoder.unkeyedContainer() {
                var elements: [JSONValue] = []
                while !container.isAtEnd { elements.append(try container.decode(DecodedValue.self).value) }
                value = .array(elements)
            } else {
                value = try Self.scalar(try decoder.singleValueContainer())
            }
        }

        private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
            if container.decodeNil() { return .null }
            if let truth = try? container.decode(Bool.self) { return .bool(truth) }
            if let integer = try? container.decode(Int64.self) { return .integer(integer) }
            if let number = try? container.decode(Double.self) { return .number(number) }
            return .string(try container.decode(String.self))
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
