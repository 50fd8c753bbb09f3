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
