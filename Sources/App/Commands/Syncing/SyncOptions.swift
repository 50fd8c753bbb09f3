/// The options that `daily` and `historical` share.
enum SyncOptions {
    static let shared: [OptionDeclaration] = [
        .value(
            "metrics", "NAMES", "Derive these metrics, names with commas between them",
            default: "the built-in ones"),
        .value(
            "types", "NAMES", "Keep the samples of these types too, or \"all\" of them",
            default: "those that the metrics read"),
        .flag("force", "Read, derive and send again even where nothing changed"),
        .flag("allow-deletions", "Take in an export that deletes more than a fifth of what is stored"),
        .flag("no-push", "Put what changed into the outbox but send nothing"),
        DeliveryDeadline.option,
    ]
}
