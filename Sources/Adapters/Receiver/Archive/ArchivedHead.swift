import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The first line of an archived file: the head of the post as a JSON object.
struct ArchivedHead: Codable {
    /// Why a line is not the head of a post.
    enum Damage: Error {
        case form, receipt, device, method
        /// A later version of the program wrote it.
        case version

        /// The problem, as a clause.
        var reason: String {
            switch self {
            case .form: "its first line is not the head of a post"
            case .receipt: "its time of receipt is not in the years 1900 to 2200"
            case .device: "its device has no valid name"
            case .method: "its method is not valid"
            case .version: "its form is not known to this version"
            }
        }
    }

    private static let version = 1

    private var version = Self.version
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

    /// Returns the head in a line, which a server or a damaged disk may have written.
    init(line: [UInt8]) throws(Damage) {
        // Foundation would also read UTF-16.
        guard !line.contains(0), let decoded = try? JSONDecoder().decode(ArchivedHead.self, from: Data(line)) else {
            throw .form
        }
        guard decoded.version == Self.version else { throw .version }
        guard PlausibleTime.contains(Instant(milliseconds: decoded.receivedAtMilliseconds)) else { throw .receipt }
        guard decoded.device.isEmpty || UserName(decoded.device) != nil else { throw .device }
        guard (1...Self.longestMethod).contains(decoded.method.utf8.count),
            decoded.method.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .method }
        self = decoded
    }

    /// The longest method in bytes, which is not shorter than the longest head of a request.
    private static let longestMethod = 32 << 10
}
