import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Asks a server which sleep sessions it has: `GET /api/v1/sleep`, which servers of the original kind answer, too.
struct HTTPSessionReader: Sendable {
    private static let mostSessions = 100

    private let client: HTTPGetClient

    init(_ settings: HTTPOutboxSettings, time: any TimeSource) {
        client = HTTPGetClient(settings, time: time)
    }

    /// Returns whether the server lists the only session of `batch` with its times; `nil` if it cannot be asked, or lists only
    /// a part. A session of the same id with other times is another version.
    func holds(_ batch: OutboxBatch) async -> Bool? {
        guard batch.kind == .sleep, batch.operation == .store, !batch.isCompressed,
            let sent = Self.session(in: batch.body), let id = sent.sourceID, let first = sent.startDay,
            let last = sent.endDay
        else { return nil }
        // The server may assign a night to another day than its times state.
        let days = "from=\(first.advanced(by: -1))&to=\(last.advanced(by: 1))"
        guard let body = try? await client.get("/api/v1/sleep?\(days)&limit=\(Self.mostSessions)&offset=0"),
            let listed = try? JSONDecoder().decode(List.self, from: Data(body)).data
        else { return nil }
        if let found = listed.sessions.first(where: { $0.sourceID?.hasSameBytes(as: id) ?? false }) {
            return found.hasSameTimes(as: sent)
        }
        return listed.hasMore == false ? false : nil
    }

    /// Returns the only session of a body, which is the body or the only one of its list.
    private static func session(in body: [UInt8]) -> Session? {
        if let listed = try? JSONDecoder().decode(List.Content.self, from: Data(body)).sessions {
            return listed.count == 1 ? listed.first : nil
        }
        return try? JSONDecoder().decode(Session.self, from: Data(body))
    }

    private struct Session: Decodable {
        enum CodingKeys: String, CodingKey {
            case sourceID = "source_id"
            case startTime = "start_time"
            case endTime = "end_time"
        }
        var sourceID: String?
        var startTime: String?
        var endTime: String?

        var startDay: CalendarDay? { startTime.flatMap { CalendarDay(String($0.prefix(10))) } }
        var endDay: CalendarDay? { endTime.flatMap { CalendarDay(String($0.prefix(10))) } }

        /// Servers may state the same instant with another offset.
        func hasSameTimes(as other: Session) -> Bool {
            func instants(_ session: Session) -> [Instant?] {
                [session.startTime, session.endTime].map { $0.flatMap { RFC3339.instant($0) } }
            }
            let own = instants(self)
            return !own.contains(nil) && own == instants(other)
        }
    }

    private struct List: Decodable {
        struct Content: Decodable {
            enum CodingKeys: String, CodingKey {
                case sessions
                case hasMore = "has_more"
            }
            var sessions: [Session]
            var hasMore: Bool?
        }
        var data: Content
    }
}

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
