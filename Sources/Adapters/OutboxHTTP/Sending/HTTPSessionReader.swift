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
