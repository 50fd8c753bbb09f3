import HealthSyncDomain
import HealthSyncPorts

@testable import HealthSyncReceiver

/// The readings of the server, in the form of the reference `byte_readings.py`.
enum ServerReading {
    /// Returns the reading of the bytes after the colon of a header line, of a target, or of the body of a form.
    static func reading(_ name: String, of value: [UInt8]) -> String {
        switch name {
        case "target": target(value)
        case "form": form(value)
        default: header(name, value)
        }
    }

    private static func target(_ value: [UInt8]) -> String {
        guard let target = RequestTarget(String(decoding: value, as: UTF8.self)) else { return "invalid" }
        let path = target.path.map { "/" + hex($0) }.joined()
        return path + target.query.sorted.map { "?\(hex($0.name))=\(hex($0.value))" }.joined()
    }

    private static func form(_ body: [UInt8]) -> String {
        let request = HTTPRequest(head: head([]), caller: Caller(user: .local, scopes: []), body: body)
        return request.formFields().map { $0.map { "&\(hex($0.name))=\(hex($0.value))" }.joined() } ?? "invalid"
    }

    /// The headers that a request has in addition.
    private static let others = [
        RequestHead.Header("host", "localhost"), RequestHead.Header("origin", "https://kiosk.example"),
    ]

    /// The headers whose readings have another name.
    private static let headers = [
        "authority": "host", "same-origin": "origin", "allowed-origin": "origin",
        "request-method": "access-control-request-method",
        "signature": "x-signature",
    ]

    private static func header(_ name: String, _ value: [UInt8]) -> String {
        let line = Array("\(headers[name] ?? name):".utf8) + value
        guard let header = HeadParser.header(line[...]) else { return "invalid" }
        let head = head(header.name == "host" ? [header] : others + [header])
        switch name {
        case "x-forwarded-for": return client(header.value)
        case "connection": return head.closesConnection ? "close" : "keep"
        case "transfer-encoding": return FramingCheck.error(in: head) == nil ? "chunked" : "invalid"
        case "content-length":
            return FramingCheck.error(in: head) == nil ? head.contentLength.map(String.init) ?? "none" : "invalid"
        case "authority": return FramingCheck.error(in: head) == nil ? "valid" : "invalid"
        case "expect": return head.expectsContinue ? "continue" : "none"
        case "content-encoding": return "\(ContentCoding(header.value))"
        case "accept": return head.acceptsLines ? "lines" : "object"
        case "content-type": return head.hasFormBody ? "form" : "other"
        case "cookie": return SessionCookie.value(of: head).map(hex) ?? "none"
        case "authorization": return BearerCredentials.token(in: header.value).map { hex(String($0)) } ?? "none"
        case "prefer": return String(GetWaitingPosts.waitSeconds(head))
        default: return origin(name, head, header.value)
        }
    }

    private static func origin(_ name: String, _ head: RequestHead, _ value: String) -> String {
        switch name {
        case "host": return Loopback.isHost(value) ? "loopback" : "other"
        case "origin": return OriginHeader.isLoopback(value) ? "loopback" : "other"
        case "same-origin": return OriginHeader.isPage(value, of: "Kiosk.example") ? "same" : "other"
        case "allowed-origin": return kiosk.names(value) ? "yes" : "no"
        case "request-method":
            return everyOrigin.headers(for: head).contains { $0.name == "Access-Control-Allow-Methods" } ? "yes" : "no"
        case "signature":
            let signature = root.map { DeviceCredentials(head, target: $0).signature ?? [] } ?? []
            return signature.isEmpty ? "invalid" : HexDigits.text(signature)
        default: return "no such reading"
        }
    }

    private static let kiosk = CrossOriginRules(["https://kiosk.Example"])
    private static let everyOrigin = CrossOriginRules(["*"])
    private static let root = RequestTarget("/")
    private static let proxy = ClientAddress("127.0.0.1")

    private static func client(_ forwarded: String) -> String {
        guard let proxy else { return "no proxy" }
        return (ClientAddress(peer: proxy, forwarded: forwarded, trusting: AddressRange.loopback) ?? proxy).text
    }

    private static func head(_ headers: [RequestHead.Header]) -> RequestHead {
        RequestHead(
            number: 1, method: "OPTIONS", target: "/", version: "HTTP/1.1",
            headers: headers, remoteAddress: "127.0.0.1")
    }

    private static func hex(_ text: String) -> String { HexDigits.text(Array(text.utf8)) }
}
