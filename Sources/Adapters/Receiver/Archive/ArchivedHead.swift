import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The first line of an archived file: the head of the post as a JSON object.
struct ArchivedHead: Codable {
    private var version = 1
    private var method: String
    private var path: [String]
    private var query: [String: String]
    private var headers: [InboxHead.Header]
    private var device: String
    private var receivedAtMilliseconds: Int64

    init(_ head: InboxHead) {
        method = head.method
        path = head.path
        query = head.query
        headers = head.headers
        device = head.device
        receivedAtMilliseconds = head.receivedAt.milliseconds
    }

    /// The head of the post.
    var head: InboxHead {
        InboxHead(
            method: method, path: path, query: query, headers: headers, device: device,
            receivedAt: Instant(milliseconds: receivedAtMilliseconds))
    }

    /// The longest line that is read, in bytes. A request's head is much shorter.
    static let longestLine = 1 << 20

    /// Returns the line with its line feed.
    func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var line = [UInt8](try encoder.encode(self))
        line.append(0x0A)
        return line
    }

    /// Returns the head in a line, or `nil` if it is damaged.
    init?(line: [UInt8]) {
        guard let decoded = try? JSONDecoder().decode(ArchivedHead.self, from: Data(line)) else { return nil }
        self = decoded
    }
}
