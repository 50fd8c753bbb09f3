import HealthSyncDomain

/// After how long sending is to stop.
enum DeliveryDeadline {
    /// What holds without `--deadline`: long enough for years of data, and no server that is away holds a run for ever.
    static let standardSeconds: Int64 = 300

    static let option = OptionDeclaration.value(
        "deadline", "SECONDS", "Begin no request after this time; the rest waits in the outbox",
        default: "\(standardSeconds)")

    /// `--deadline SECONDS`.
    static func seconds(_ parsed: ParsedCommand) throws(SyncFailure) -> Int64 {
        try parsed.integer("deadline", in: 1...604_800).map(Int64.init) ?? standardSeconds
    }
}
