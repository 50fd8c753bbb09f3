import HealthSyncDomain

/// The result of an action of the pages in words.
struct PageOutcome: Sendable {
    let text: String
    var isGood = true

    init(_ lines: [String], _ status: ExitStatus) {
        text = lines.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: "; ")
        isGood = status == .done
    }

    init(_ error: any Error) {
        text = error is CancellationError ? "cancelled" : FailureText.of(error)
        isGood = false
    }
}
