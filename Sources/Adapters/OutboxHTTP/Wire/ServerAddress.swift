import CHealthSyncCurl
package import HealthSyncDomain

/// The base address of a receiving server, parsed by libcurl, which also makes the requests.
package struct ServerAddress: Sendable, Hashable {
    /// The address in canonical form, without a slash at the end. It identifies the destination's queue in the outbox.
    package let text: String

    /// Parses an `http` or `https` address with a host and at most a path.
    ///
    /// - Throws: `SyncFailure` with `.configuration`.
    package init(_ text: String) throws(SyncFailure) {
        guard let parts = unsafe curl_url() else { throw Self.failure(text, "out of memory") }
        defer { unsafe curl_url_cleanup(parts) }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            unsafe curl_url_set(parts, CURLUPART_URL, text, 0) == CURLUE_OK,
            let scheme = unsafe Self.part(CURLUPART_SCHEME, of: parts), ["http", "https"].contains(scheme),
            unsafe Self.part(CURLUPART_HOST, of: parts) != nil
        else { throw Self.failure(text, "not an http or https address") }
        for (part, name) in [
            (CURLUPART_USER, "a user name"), (CURLUPART_PASSWORD, "a password"), (CURLUPART_QUERY, "a query"),
            (CURLUPART_FRAGMENT, "a fragment"),
        ] where unsafe Self.part(part, of: parts) != nil {
            // The address is shown and stored, so a message must not repeat a possible secret.
            throw Self.failure("--server", "the address contains \(name)")
        }
        guard var whole = unsafe Self.part(CURLUPART_URL, of: parts) else {
            throw Self.failure(text, "not an http or https address")
        }
        while whole.hasByteSuffix("/") { whole.unicodeScalars.removeLast() }
        self.text = whole
    }

    private static func part(_ part: CURLUPart, of parts: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(parts, part, &text, 0) == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }

    private static func failure(_ subject: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .configuration, subject: subject, reason: reason,
            advice: "use the form https://host or https://host:port/path")
    }
}
