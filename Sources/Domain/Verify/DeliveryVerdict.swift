/// How delivery to a server stands, in one statement with its reason.
package struct DeliveryVerdict: Hashable, Sendable {
    /// How much attention a verdict needs.
    package enum Tone: Hashable, Sendable {
        /// Everything arrived.
        case good
        /// Something waits, and needs nothing by the user, or nothing was verified yet.
        case neutral
        /// The user must act.
        case bad
    }

    package var tone: Tone
    /// Such as "20 items rejected, 115 waiting" or "all 320 records and 42,000 samples verified".
    package var statement: String
    /// When the statement was found, if it is the result of a verification.
    package var at: Instant?
    /// Why items were rejected or wait; `nil` if nothing is to be explained.
    package var reason: String?

    /// - Parameters:
    ///   - counts: the outbox items by state.
    ///   - pause: the user's pause in words, as `pause(since:)` returns it; `nil` if delivery is not paused.
    ///   - state: the stored state of the server.
    ///   - trouble: why the last attempts failed; `nil` if it is not known.
    ///   - verification: the last verification of the server.
    ///   - rejection: one of the rejected items; `nil` if none was rejected.
    ///   - isRunning: whether a run is in progress.
    ///   - hasRecords: whether there is anything to send.
    ///   - number: writes a count.
    package init(
        counts: [DeliveryState: Int], pause: String?, state: DestinationState?, trouble: String?,
        verification: VerificationState?, rejection: OutboxItem?, isRunning: Bool = false, hasRecords: Bool = true,
        number: (Int) -> String
    ) {
        let rejected = counts[.dead] ?? 0
        let waiting = (counts[.pending] ?? 0) + (counts[.leased] ?? 0)
        let statement = Self.statement(counts, number)
        let obstacle = Self.obstacle(pause: pause, state: state, trouble: trouble, number: number)
        if rejected > 0 {
            self.init(.bad, statement)
            let reasons = [rejection.flatMap { Self.reason($0, of: rejected) }, waiting > 0 ? obstacle?.text : nil]
            reason = reasons.compactMap { $0 }.joined(separator: "; ")
            if reason == "" { reason = nil }
        } else if waiting > 0 {
            self.init(obstacle?.needsUser == true ? .bad : .neutral, statement)
            reason = obstacle?.text ?? "the \(isRunning ? "current" : "next") run delivers them"
        } else if let verification, let last = verification.last {
            self.init(verified: last, hasChangedSince: verification.hasChangedSince, number: number)
        } else if let delivered = counts[.delivered], delivered > 0 {
            self.init(.neutral, "everything was sent")
        } else {
            self.init(.neutral, "nothing was sent yet")
            if !isRunning, hasRecords { reason = "run healthsync push --all to send every record" }
        }
    }

    /// Returns the user's pause in words; `since` is its beginning as displayed, if it is known.
    package static func pause(since: String?) -> String { "held by your pause" + (since.map { " since \($0)" } ?? "") }

    private init(_ tone: Tone, _ statement: String) {
        (self.tone, self.statement) = (tone, statement)
    }

    private init(verified last: Verification, hasChangedSince: Bool, number: (Int) -> String) {
        let words = VerificationState(last: last, hasChangedSince: false).words(number: number)
        let isEqual = last.verdict == .equal
        let isGood = isEqual && !hasChangedSince
        self.init(isGood ? .good : isEqual || last.verdict == .unverifiable ? .neutral : .bad, words.before)
        at = last.at
        if !last.reason.isEmpty { reason = last.reason }
        if hasChangedSince { reason = (reason.map { $0 + "; " } ?? "") + "records were sent or changed since" }
    }

    /// Returns the number of items in each state: `20 items rejected, 100 waiting, 15 in flight`.
    private static func statement(_ counts: [DeliveryState: Int], _ number: (Int) -> String) -> String {
        let parts = [(DeliveryState.dead, "rejected"), (.pending, "waiting"), (.leased, "in flight")]
            .map { (count: counts[$0.0] ?? 0, word: $0.1) }.filter { $0.count > 0 }
        return parts.enumerated().map { index, part in
            "\(index == 0 ? CountText.of(part.count, "item", number: number) : number(part.count)) \(part.word)"
        }.joined(separator: ", ")
    }

    /// Returns why nothing can be sent now; `nil` if nothing prevents it.
    private static func obstacle(
        pause: String?, state: DestinationState?, trouble: String?, number: (Int) -> String
    ) -> (text: String, needsUser: Bool)? {
        if let pause { return (pause, false) }
        guard let state else { return nil }
        if state.isDisabled { return ("the server reports that it is permanently gone", true) }
        if let reason = state.pausedReason { return (reason, true) }
        guard state.consecutiveFailures > 0 else { return nil }
        let attempts = state.consecutiveFailures
        let failed = attempts == 1 ? "the last attempt failed" : "the last \(number(attempts)) attempts failed"
        return (failed + (trouble.map { " (\($0))" } ?? ""), true)
    }

    private static func reason(_ item: OutboxItem, of rejected: Int) -> String? {
        // The number of records within one item would contradict the number of items in the statement.
        let text = PartialRejection.cause(in: item.lastReason ?? "").shortened(to: longestReason)
        // The status of a batch says nothing about a single record.
        guard text.isEmpty else {
            let which = rejected > 1 ? " for one of them" : ""
            return text.hasPrefix("the server ") ? text : "the server's reason\(which): \(text)"
        }
        return item.lastStatus.map { "the server's status: \($0)" }
    }

    private static let longestReason = 200
}
