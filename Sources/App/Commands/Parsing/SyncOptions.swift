import HealthSyncDomain

/// The common options of `daily` and `historical`.
enum SyncOptions {
    static let concurrency = OptionDeclaration.value(
        "concurrency", "N", "Send at most this many requests at a time", default: "limits.requestsInFlight, or 3")

    static let shared: [OptionDeclaration] = [
        .value(
            "metrics", "NAMES", "Derive only these metrics, separated by commas",
            default: "all that the data contain"),
        .value(
            "types", "NAMES", "Also keep samples of these types, or of \"all\" types",
            default: "only types that the metrics read"),
        .value(
            "raw", "NAMES", "Send raw samples of these types in addition to steps",
            default: "only steps"),
        .flag("force", "Read, derive and send again even if nothing changed"),
        .flag("allow-deletions", "Import an export that deletes more than a fifth of the stored samples"),
        .flag("no-push", "Queue changes in the outbox without sending them"),
        DeliveryDeadline.option, concurrency,
    ]
}

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
