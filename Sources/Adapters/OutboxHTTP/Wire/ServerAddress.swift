import CHealthSyncCurl
package import HealthSyncDomain

/// The base address of a receiving server, read by the same rules by which requests are made.
package struct ServerAddress: Sendable, Hashable {
    /// The address in its one form, without a slash at the end: by it the destination's queue is known.
    package let text: String

    /// Reads an `http` or `https` address with a host and at most a path.
    ///
    /// - Throws: `SyncFailure` with `.configuration`.
    package init(_ text: String) throws(SyncFailure) {
        guard let parts = unsafe curl_url() else { throw Self.refused(text, "out of memory") }
        defer { unsafe curl_url_cleanup(parts) }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            unsafe curl_url_set(parts, CURLUPART_URL, text, 0) == CURLUE_OK,
            let scheme = unsafe Self.part(CURLUPART_SCHEME, of: parts), ["http", "https"].contains(scheme),
            unsafe Self.part(CURLUPART_HOST, of: parts) != nil
        else { throw Self.refused(text, "this is no http or https address") }
        for (part, name) in [
            (CURLUPART_USER, "a user name"), (CURLUPART_PASSWORD, "a password"), (CURLUPART_QUERY, "a query"),
            (CURLUPART_FRAGMENT, "a fragment"),
        ] where unsafe Self.part(part, of: parts) != nil {
            // The address is shown and stored: what may be a secret is not repeated.
            throw Self.refused("--server", "the address holds \(name)")
        }
        guard var whole = unsafe Self.part(CURLUPART_URL, of: parts) else {
            throw Self.refused(text, "this is no http or https address")
        }
        while whole.hasSuffix("/") { whole.removeLast() }
        self.text = whole
    }

    private static func part(_ part: CURLUPart, of parts: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(parts, part, &text, 0) == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }

    private static func refused(_ subject: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .configuration, subject: subject, reason: reason,
            advice: "give the server as https://host or https://host:port/path")
    }
}
