/// The options that `daily` and `historical` share.
enum SyncOptions {
    static let concurrency = OptionDeclaration.value(
        "concurrency", "N", "At most this many requests in flight", default: "3, or limits.requestsInFlight")

    static let shared: [OptionDeclaration] = [
        .value(
            "metrics", "NAMES", "Derive these metrics, names with commas between them",
            default: "the built-in ones"),
        .value(
            "types", "NAMES", "Keep the samples of these types too, or \"all\" of them",
            default: "those that the metrics read"),
        .value(
            "raw", "NAMES", "Send the samples of these types as they are, beside those of steps",
            default: "steps alone"),
        .flag("force", "Read, derive and send again even where nothing changed"),
        .flag("allow-deletions", "Take in an export that deletes more than a fifth of what is stored"),
        .flag("no-push", "Put what changed into the outbox but send nothing"),
        DeliveryDeadline.option, concurrency,
    ]
}
