import Foundation
import HealthSyncDomain

/// The ids that a server gives to sleep sessions, as it states them in its response.
struct SessionIDs {
    /// The id of the only session of the request.
    private var single: String?
    /// The ids of several sessions by their `source_id`.
    private var bySource: [ExactText: String] = [:]

    /// Reads `session_id` or `data.id`, or for a list `sessions` with `source_id` and `session_id`. Ids that cannot be
    /// read are ignored, because the sessions are stored without them too.
    init(_ body: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)) else { return }
        single = answer.id
        for session in answer.sessions {
            guard let source = session.sourceID, let id = session.id else { continue }
            bySource[ExactText(source)] = id
        }
    }

    /// Returns `verdict` with the ids of delivered sessions; `members` are the source ids of each item.
    func naming(_ verdict: BatchVerdict, members: [[String]]) -> BatchVerdict {
        guard case .items(let verdicts, let status) = verdict else { return verdict }
        let named = zip(verdicts, members).map { verdict, sources in
            guard verdict == .delivered, let source = sources.first,
                let id = bySource[ExactText(source)] ?? (members.count == 1 ? single : nil)
            else { return verdict }
            return .stored(as: id)
        }
        return .items(named, status: status)
    }

    /// A response. Every member is optional, and one of another form counts as absent.
    private struct Answer: Decodable {
        private enum CodingKeys: String, CodingKey {
            case sessions, data
            case sessionID = "session_id"
        }

        var id: String?
        var sessions: [Session]

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            id =
                (try? members.decode(Identifier.self, forKey: .sessionID))?.text
                ?? (try? members.decode(Entity.self, forKey: .data))?.id
            sessions = (try? members.decode([Session].self, forKey: .sessions)) ?? []
        }
    }

    private struct Entity: Decodable {
        private enum CodingKeys: String, CodingKey { case id }
        var id: String?

        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: CodingKeys.self).decode(Identifier.self, forKey: .id).text
        }
    }

    private struct Session: Decodable {
        private enum CodingKeys: String, CodingKey {
            case sourceID = "source_id"
            case sessionID = "session_id"
        }

        var sourceID: String?
        var id: String?

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            sourceID = try? members.decode(String.self, forKey: .sourceID)
            id = (try? members.decode(Identifier.self, forKey: .sessionID))?.text
        }
    }

    /// A text or a whole number.
    private struct Identifier: Decodable {
        /// The id; `nil` if it is empty, too long to be an id, or contains control characters.
        var text: String?

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            let text = try (try? value.decode(Int64.self)).map(String.init) ?? value.decode(String.self)
            let isID = (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            self.text = isID ? text : nil
        }
    }
}
