import HealthSyncDomain

/// The token in a header `Authorization` (RFC 6750, section 2.1).
enum BearerCredentials {
    /// Returns the token in `Bearer TOKEN`; `nil` for other schemes and forms.
    static func token(in value: String) -> Substring? {
        let parts = value.parts(separatedBy: " ").filter { !$0.isEmpty }
        return parts.count == 2 && parts[0].equalsIgnoringASCIICase("bearer") ? parts[1] : nil
    }
}
