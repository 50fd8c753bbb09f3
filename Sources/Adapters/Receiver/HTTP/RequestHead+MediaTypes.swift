import HealthSyncDomain

/// The media types in a request.
extension RequestHead {
    /// Whether the client asks for lines of JSON: `Accept` names their media type, with any weight.
    var acceptsLines: Bool {
        values("accept").contains { value in
            value.listMembers.contains { Self.mediaType($0).equalsIgnoringASCIICase("application/x-ndjson") }
        }
    }

    /// Whether the body is a form.
    var hasFormBody: Bool {
        value("content-type").map { Self.mediaType($0) }?.equalsIgnoringASCIICase("application/x-www-form-urlencoded")
            ?? false
    }

    /// Returns a reader of the body if it is a form with files; otherwise `nil`.
    var multipartReader: MultipartReader? { value("content-type").flatMap { MultipartReader(contentType: $0) } }

    /// Returns a media type without its parameters (RFC 9110, section 8.3.1).
    private static func mediaType(_ value: some StringProtocol) -> Substring {
        Substring(value).parts(separatedBy: ";")[0].withoutOuterBlanks
    }
}
