import HealthSyncDomain

/// The time limit of a delivery.
enum DeliveryDeadline {
    /// The default: long enough for years of data, but an unreachable server does not block a run indefinitely.
    static let standardSeconds: Int64 = 300

    static let option = OptionDeclaration.value(
        "deadline", "SECONDS", "Start no requests after this time; the rest waits in the outbox",
        default: "\(standardSeconds), or 60 without any answer of the server")

    /// Returns the value of `--deadline`, in seconds.
    static func seconds(_ parsed: ParsedCommand) throws(SyncFailure) -> Int64 {
        try parsed.integer("deadline", in: 1...604_800).map(Int64.init) ?? standardSeconds
    }
}
