import HealthSyncDomain

/// A value with places at which a Unicode scalar is inserted: before, in and after a separator, and at both sides of it.
struct ReadingTemplate: Sendable {
    /// The name of the reading in `byte_readings.py`.
    let name: String
    /// Whether the scalar is percent-encoded.
    let isPercent: Bool
    let pieces: [[UInt8]]
    /// The index of its separator.
    let separator: Int

    /// The line of the template for the reference, which inserts the scalars from `first` on, each `step`th.
    func line(first: Int, step: Int) -> String {
        let pieces = pieces.map { HexDigits.text($0) }.joined(separator: ",")
        return "\(name)\t\(isPercent ? "percent" : "raw")\t\(pieces)\t\(first)\t\(step)"
    }

    func value(of scalar: Unicode.Scalar) -> [UInt8] {
        let utf8 = Array(String(scalar).utf8)
        let inserted = isPercent ? utf8.flatMap { [0x25] + Self.digits($0) } : utf8
        return Array(pieces.joined(separator: inserted))
    }

    private static func digits(_ byte: UInt8) -> [UInt8] { Array(HexDigits.text([byte]).utf8) }

    static let all: [ReadingTemplate] = separators.enumerated().flatMap { index, entry in
        let (name, left, separator, right) = entry
        return [[left, separator + right], [left, right], [left + separator, right], [left, separator, right]].map {
            ReadingTemplate(
                name: name, isPercent: name == "target", pieces: $0.map { Array($0.utf8) }, separator: index)
        }
    }

    /// The number of separators.
    static let separatorCount = separators.count

    private static let digest = String(repeating: "0123456789abcDEF", count: 4)

    /// Separators, and places within words, with what precedes and follows them in a value.
    private static let separators: [(name: String, left: String, separator: String, right: String)] = [
        ("x-forwarded-for", "203.0.113.9", ",", "198.51.100.7"),
        ("x-forwarded-for", "203.0.113.9,", " ", "198.51.100.7"),
        ("x-forwarded-for", "203.0.113.9,198.51.100.7", ":", "80"),
        ("x-forwarded-for", "203.0.113.9,", "[", "2001:db8::1]"),
        ("x-forwarded-for", "203.0.113.9,[2001:db8::1", "]", ":80"),
        ("x-forwarded-for", "203.0.113.9,[2001:db8::1]", ":", "4711"),
        ("x-forwarded-for", "203.0.113.9,fe80::1", "%", "eth0"),
        ("x-forwarded-for", "203.0.113.9%", ",", "2001:db8::1"), ("x-forwarded-for", "198.51.100.", "", "7"),
        ("connection", "x", ",", "close"), ("connection", "x,", "\t", "close"), ("connection", "close", " ", ",x"),
        ("connection", "clo", "", "se"),
        ("transfer-encoding", "chun", "k", "ed"), ("transfer-encoding", "chunked", ",", ""),
        ("transfer-encoding", "gzip", ",", "chunked"), ("content-length", "1", "", "2"),
        ("content-length", "5", ",", "5"), ("expect", "100", "-", "continue"), ("expect", "x", ",", "100-continue"),
        ("content-encoding", "x", "-", "gzip"), ("content-encoding", "gzip", ",", "identity"),
        ("content-encoding", "", "", ""), ("accept", "text/plain", ",", "application/x-ndjson"),
        ("accept", "application/x-ndjson", ";", "q=1"), ("accept", "application", "/", "x-ndjson"),
        ("content-type", "application/x-www-form-urlencoded", ";", "charset=utf-8"),
        ("content-type", "application/x-www-form-urlencoded", " ", ";a"),
        ("cookie", "a=b", ";", "__Host-healthsync=1"), ("cookie", "__Host-healthsync", "=", "1"),
        ("cookie", "a=b;", " ", "__Host-healthsync=1"), ("cookie", "__Host-healthsync=1", ";", "2"),
        ("authorization", "Bearer", " ", "hst"), ("authorization", "Bearer hst", " ", "1"),
        ("authorization", "Beare", "", "r hst"), ("prefer", "respond-async", ",", "wait=10"),
        ("prefer", "wait", "=", "10"), ("prefer", "wait=10", ";", "x"), ("prefer", "wait=", " ", "10"),
        ("prefer", "wait=10", ",", "wait=20"), ("prefer", "wait=1", "", "0"), ("host", "localhost", ":", "8000"),
        ("host", "127.0.0", ".", "1"), ("host", "", "[", "::1]:80"), ("host", "[::1", "]", ":80"),
        ("host", "[::1]", ":", "80"), ("authority", "localhost", ",", "x"), ("authority", "localhost", ":", "80"),
        ("authority", "", "", "localhost"), ("authority", "[fe80::1", "%", "eth0]:80"), ("authority", "[", ":", ":1]"),
        ("authority", "[::1", "]", ":80"), ("authority", "user", "@", "localhost"),
        ("origin", "http", ":", "//localhost"), ("origin", "http:/", "/", "localhost"),
        ("origin", "http://localhost", ":", "80"), ("origin", "http://localhost", "/", "x"),
        ("same-origin", "https://", "k", "iosk.example"), ("same-origin", "https:", "/", "/kiosk.example"),
        ("allowed-origin", "https://", "k", "iosk.example"), ("request-method", "PO", "S", "T"),
        ("request-method", "opt", "i", "ons"), ("signature", "sha256", "=", digest), ("signature", "", "", digest),
        ("target", "/a?x=1", "&", "y=2"), ("target", "/a?x", "=", "1"), ("target", "/a", "?", "x=1"),
        ("target", "/a", "/", "b?x"), ("target", "/a?x=", "%", "41"), ("target", "/?K=1&e%CC%81=2&", "", "=3"),
        ("form", "x=1", "&", "y=2"), ("form", "x", "=", "1"), ("form", "x=a", "+", "b"), ("form", "x=", "%", "41"),
    ]
}
