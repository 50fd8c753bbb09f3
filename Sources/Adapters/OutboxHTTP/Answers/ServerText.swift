import Foundation
package import HealthSyncDomain

/// The server's own words about an error, as data: bounded, on one line, without characters that control a terminal.
enum ServerText {
    /// Returns the first `count` scalars of a text of a server, with blanks for controls and line ends.
    static func line(_ text: some StringProtocol, first count: Int = 200) -> String {
        String(text.unicodeScalars.prefix(count).map { UntrustedText.mustBeEscaped($0) ? " " : Character($0) })
    }

    /// Returns the explanation in the body of an error; `nil` if none exists. A text, or an object with members such as
    /// `title`, `detail`, `error` and `message`, which may be such objects or lists of them.
    static func explanation(_ body: [UInt8]) -> String? {
        guard let problem = try? JSONDecoder().decode(Problem.self, from: Data(body)) else { return nil }
        let texts = problem.texts.filter { !$0.isEmpty }.prefix(mostTexts)
        return texts.isEmpty ? nil : texts.joined(separator: ": ")
    }

    /// Returns the body of an error that is a text and neither JSON nor a page; `nil` otherwise.
    static func plain(_ body: [UInt8]) -> String? {
        guard let first = body.firstIndex(where: { $0 > 0x20 }), let last = body.lastIndex(where: { $0 > 0x20 }),
            !"<{[\"".utf8.contains(body[first])
        else { return nil }
        return String(validating: body[first...last], as: UTF8.self)
    }

    private static let mostTexts = 4

    private struct Problem: Decodable {
        enum Key: String, CodingKey, CaseIterable {
            case title, detail, error, message, reason, msg, errors
        }

        var texts: [String] = []

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                texts = [text]
            } else if var list = try? decoder.unkeyedContainer() {
                texts = list.isAtEnd ? [] : ((try? list.decode(Problem.self))?.texts ?? [])
            } else if let members = try? decoder.container(keyedBy: Key.self) {
                texts = Key.allCases.flatMap { (try? members.decode(Problem.self, forKey: $0))?.texts ?? [] }
            }
        }
    }
}

extension DestinationCapabilities {
    /// A plain server: it accepts raw steps and single sessions, and nothing else.
    package static let plain: DestinationCapabilities = {
        var capabilities = DestinationCapabilities(batchLimits: [.steps: 2_000, .sleep: 1], acceptsDeletions: false)
        capabilities.returnsVerdicts = false
        return capabilities
    }()
}
