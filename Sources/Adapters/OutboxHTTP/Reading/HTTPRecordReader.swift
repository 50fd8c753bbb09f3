import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// Asks a server which derived records it has: `GET /api/v1/digest/records` and `/api/v1/digest/entries`.
package struct HTTPRecordReader: ServerRecordReader {
    private let asking: HTTPGetClient

    package init(_ settings: HTTPOutboxSettings, time: any TimeSource) {
        asking = HTTPGetClient(settings, time: time)
    }

    package func digests(of kind: RecordKind, days: DayRange?) async throws -> RecordDigests {
        let body = try await asking.get("/api/v1/digest/records?kind=\(kind.rawValue)" + Self.bounds(days))
        guard let digests = RecordDigestReading.digests(body) else {
            throw asking.unreadable("its digests of records")
        }
        return digests
    }

    package func entries(of kind: RecordKind, days: DayRange, after: String?) async throws -> RecordEntryPage {
        try await page("kind=\(kind.rawValue)" + Self.bounds(days), after: after, isOfTombstones: false)
    }

    package func tombstones(of kind: RecordKind, after: String?) async throws -> RecordEntryPage {
        try await page("kind=\(kind.rawValue)&deleted=true", after: after, isOfTombstones: true)
    }

    private func page(_ query: String, after: String?, isOfTombstones: Bool) async throws -> RecordEntryPage {
        let place = after.map { "&after=\(PercentEncoding.encoded($0))" } ?? ""
        let body = try await asking.get("/api/v1/digest/entries?\(query)\(place)")
        guard let page = RecordDigestReading.page(body, isOfTombstones: isOfTombstones) else {
            throw asking.unreadable("its list of records")
        }
        return page
    }

    private static func bounds(_ days: DayRange?) -> String {
        days.map { "&from=\($0.first)&to=\($0.last)" } ?? ""
    }
}

/// Reads the responses to `GET /api/v1/digest/records` and `GET /api/v1/digest/entries`.
enum RecordDigestReading {
    /// Returns the digests; `nil` if the body does not have the expected form.
    static func digests(_ body: [UInt8]) -> RecordDigests? {
        guard let answer = try? JSONDecoder().decode(Digests.self, from: Data(body)),
            let tombstones = digest(answer.deleted.count, answer.deleted.content)
        else { return nil }
        var digests = RecordDigests(tombstones: tombstones)
        for month in answer.months {
            guard let first = CalendarDay(month.month + "-01"), let digest = digest(month.count, month.content),
                digests.months.updateValue(digest, forKey: CalendarPeriod(.month, holding: first)) == nil
            else { return nil }
        }
        return digests
    }

    /// Returns a page of entries, each with a day unless they are tombstones; `nil` if the body does not have the
    /// expected form.
    static func page(_ body: [UInt8], isOfTombstones: Bool) -> RecordEntryPage? {
        guard let answer = try? JSONDecoder().decode(Entries.self, from: Data(body)) else { return nil }
        var entries: [RecordEntry] = []
        entries.reserveCapacity(answer.entries.count)
        for entry in answer.entries {
            let day = entry.day.flatMap { CalendarDay($0) }
            guard let content = content(entry.content), entry.revision >= 0, isOfTombstones == (day == nil) else {
                return nil
            }
            entries.append(RecordEntry(id: entry.id, day: day, revision: entry.revision, content: content))
        }
        guard answer.next == nil || answer.next == entries.last?.id else { return nil }
        return RecordEntryPage(entries: entries, next: answer.next)
    }

    /// More records than any server has in a month; sums of such counts do not overflow.
    private static let largestCount = 1_000_000_000

    private static func digest(_ count: Int, _ text: String) -> RecordSetDigest? {
        guard (0...largestCount).contains(count), let content = content(text) else { return nil }
        return RecordSetDigest(count: count, content: content)
    }

    private static func content(_ text: String) -> UInt64? {
        text.utf8.count == 16 ? UInt64(text, radix: 16) : nil
    }

    private struct Digests: Decodable {
        struct Deleted: Decodable {
            var count: Int
            var content: String
        }
        struct Month: Decodable {
            var month: String
            var count: Int
            var content: String
        }
        var months: [Month]
        var deleted: Deleted
    }

    private struct Entries: Decodable {
        struct Entry: Decodable {
            var id: String
            var day: String?
            var revision: Int
            var content: String
        }
        var entries: [Entry]
        var next: String?
    }
}
