import HealthSyncDomain
import HealthSyncPorts

/// One run of a delivery. It claims, freezes and settles one batch after the other; only sending is concurrent.
actor DeliveryRun {
    /// A batch that is leased by this run and not yet sent.
    private struct Held {
        var lease: BatchLease
        var until: Instant
    }

    private struct Sent: Sendable {
        var lease: BatchLease
        var verdict: BatchVerdict
        /// How long sending took.
        var milliseconds: Int64
    }

    private let delivery: OutboxDelivery
    private let deadline: Instant
    private let owner: String
    private var state = DestinationState()
    private var capabilities = DestinationCapabilities(batchLimits: [:])
    private var report: DeliveryReport
    /// Why the run is ending; `nil` while it continues.
    private var ending: DeliveryReport.Ending?
    /// Nothing is sent before this instant.
    private var holdUntil: Instant
    private var ready: [Held] = []
    private var watch = ServerErrorWatch()
    /// The number of answers in a row that asked for every item again.
    private var retryRounds = 0
    /// Makes the payloads of items of raw samples.
    private var slices: SliceSource?
    /// The accepted kinds of which something was waiting when the run began.
    private var kinds: [RecordKind] = []
    /// The kinds whose learned limit this run has doubled.
    private var widened: Set<RecordKind> = []
    /// When the destination last answered, or the run began.
    private var answeredAt: Instant
    private var waitProgress: WaitProgress
    /// The size of a raw sample in a batch, in bytes, as last measured.
    private var sampleBytes = 240
    private var progress: DeliveryProgress?

    init(_ delivery: OutboxDelivery, deadline: Instant) {
        self.delivery = delivery
        self.deadline = deadline
        owner = delivery.random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-")
        holdUntil = delivery.time.now()
        answeredAt = holdUntil
        report = DeliveryReport(destination: delivery.destination)
        waitProgress = WaitProgress(destination: delivery.destination, reporter: delivery.progress)
    }

    func execute(resuming: Bool) async throws -> DeliveryReport {
        let waiting = try await delivery.store.waiting(destination: delivery.destination)
        guard !waiting.isEmpty else {
            // A user who asks for a delivery learns whether the destination is available, even if nothing is waiting.
            if resuming, !(delivery.hold?.isSet() ?? false) { try await probe() }
            return report
        }
        state = try await delivery.store.destinationState(delivery.destination)
        if resuming { try await endPause() }
        if state.isDisabled {
            ending = .disabled(reason: state.pausedReason ?? "the server no longer exists")
        } else if let reason = state.pausedReason {
            ending = .paused(reason: reason)
        }
        holdUntil = max(holdUntil, state.notBefore ?? holdUntil)
        noteHold()
        if try await learnCapabilities() {
            kinds = waiting.keys.filter(accepts).sorted { $0.rawValue < $1.rawValue }
            slices = try await delivery.slices?(Set(kinds))
            progress = DeliveryProgress(waiting, reporter: delivery.progress)
            // The first answer may take as long as a request may.
            progress?.show(report)
            try await deliver()
        }
        return try await finalReport()
    }

    private func deliver() async throws {
        let sender = delivery.sender
        let time = delivery.time
        let capabilities = capabilities
        try await withThrowingTaskGroup(of: Sent.self) { group in
            var inFlight = 0
            while true {
                while inFlight < width, let held = try await nextBatch() {
                    inFlight += 1
                    group.addTask {
                        let began = time.now()
                        let verdict = await sender.send(held.lease.batch, capabilities: capabilities)
                        return Sent(
                            lease: held.lease, verdict: verdict,
                            milliseconds: time.now().milliseconds - began.milliseconds)
                    }
                }
                if inFlight > 0, let sent = try await group.next() {
                    inFlight -= 1
                    report.requests += 1
                    note(sent.lease.batch, sent.verdict, milliseconds: sent.milliseconds)
                    try await settle(sent.lease, sent.verdict)
                    progress?.show(report)
                } else if try await !waitForMore() {
                    break
                }
            }
        }
        try await giveBackReady()
    }

    /// After many failures in a row, one batch at a time tests whether the destination is available again.
    private var width: Int { isProbing ? 1 : max(1, delivery.options.concurrency) }

    private var isProbing: Bool { state.consecutiveFailures >= delivery.options.policy.breakerThreshold }

    /// Asks for the capabilities until the destination answers; returns false if the run ends before.
    private func learnCapabilities() async throws -> Bool {
        while ending == nil {
            guard await wait(until: holdUntil) else { return false }
            noteHold()
            guard ending == nil else { return false }
            switch await delivery.sender.capabilities() {
            case .capabilities(let answer):
                capabilities = answer
                answeredAt = delivery.time.now()
                return true
            case .failed(.pause(let reason, _)):
                try await pause(reason)
            case .failed(.disable(let reason, _)):
                try await disable(reason)
            case .failed(.retryBatch(let reason, _, let retryAfter)), .failed(.failed(let reason, _, let retryAfter)),
                .failed(.inProgress(let reason, _, let retryAfter)):
                holdUntil = try await noteFailure(reason, retryAfter: retryAfter)
            case .failed(.unknown(let reason)):
                holdUntil = try await noteFailure(reason, retryAfter: nil)
            case .failed(.items), .failed(.bisect), .failed(.tooLarge):
                try await pause("the server does not report what it accepts; check --server")
            }
        }
        return false
    }

    /// Asks whether the destination is available. If it is, ends a pause, which would stop the next delivery.
    private func probe() async throws {
        switch await delivery.sender.capabilities() {
        case .capabilities:
            state = try await delivery.store.destinationState(delivery.destination)
            try await endPause()
        case .failed(let verdict):
            report.ending = .unreachable(reason: verdict.trouble ?? "the server does not report what it accepts")
        }
    }

    /// Ends a pause by the destination, because the user acted.
    private func endPause() async throws {
        guard state.isDisabled || state.pausedReason != nil else { return }
        state.isDisabled = false
        state.pausedReason = nil
        try await remember()
    }

    /// Ends the run if the user paused delivery.
    private func noteHold() {
        if delivery.hold?.isSet() ?? false { ending = .held }
    }

    private func accepts(_ kind: RecordKind) -> Bool {
        capabilities.limit(of: kind) != nil && (delivery.slices != nil || !kind.isOfSamples)
    }

    private func finalReport() async throws -> DeliveryReport {
        let waiting = try await delivery.store.waiting(destination: delivery.destination)
        report.waiting = WaitingCount(waiting)
        if let ending, report.left > 0 || ending == .cancelled { report.ending = ending }
        if report.ending == .held { report.heldSince = delivery.hold?.since() }
        if ending == nil { report.unsupportedKinds = Set(waiting.keys).filter { !accepts($0) } }
        return report
    }

    /// Logs the outcome of a batch, without its contents.
    private func note(_ batch: OutboxBatch, _ verdict: BatchVerdict, milliseconds: Int64) {
        let outcome = verdict.status.map { "status \($0)" } ?? verdict.trouble ?? "delivered"
        let what = batch.operation == .delete ? "deletion of \(batch.kind.rawValue)" : batch.kind.rawValue
        delivery.log.note(
            "\(what): \(batch.itemIDs.count) items, \(batch.body.count) bytes, \(outcome) in \(milliseconds) ms",
            level: .debug)
    }

    // MARK: Claiming

    /// Returns the next batch to send, frozen and leased; `nil` if none exists now, or the run is ending.
    private func nextBatch() async throws -> Held? {
        while mayBegin() {
            if let held = ready.first {
                ready.removeFirst()
                if isLongEnough(held) { return held }
                try await giveBack(held.lease, reason: "not sent in time", status: nil, notBefore: delivery.time.now())
                continue
            }
            let now = delivery.time.now()
            let until = now.advanced(byMilliseconds: delivery.options.leaseMilliseconds)
            if let lease = try await delivery.store.claimBatch(
                destination: delivery.destination, owner: owner, now: now, leaseUntil: until)
            {
                if try await isAccepted(lease) { return Held(lease: lease, until: until) }
                continue
            }
            guard try await claimItems(now: now, until: until) else { return nil }
        }
        return nil
    }

    /// Gives back the batches that were leased and not sent.
    private func giveBackReady() async throws {
        for held in ready {
            try await giveBack(held.lease, reason: "not sent yet", status: nil, notBefore: delivery.time.now())
        }
        ready = []
    }

    private func mayBegin() -> Bool {
        guard ending == nil else { return false }
        if Task.isCancelled {
            ending = .cancelled
        } else {
            noteHold()
            if ending == nil, delivery.time.now() >= deadline { ending = .deadline }
        }
        return ending == nil && holdUntil <= delivery.time.now()
    }

    private func isLongEnough(_ held: Held) -> Bool {
        held.until.milliseconds - delivery.time.now().milliseconds > delivery.options.requestTimeoutMilliseconds
    }

    /// Claims and freezes items of the first kind that has some; returns false if no kind has any.
    private func claimItems(now: Instant, until: Instant) async throws -> Bool {
        for kind in kinds {
            let partition = BatchPartition(
                recordLimit: recordLimit(of: kind),
                byteLimit: max(1, capabilities.maxBatchBytes - BatchPartition.wrapperBytes),
                groupsTombstones: capabilities.groupsSampleDeletions && kind.isOfSamples)
            let limit = kind.isOfSamples ? samplesAtOnce(partition) : partition.recordLimit
            let (claimed, fence) = try await delivery.store.claimItems(
                destination: delivery.destination, kinds: [kind], limit: limit, byteLimit: partition.byteLimit,
                owner: owner, now: now, leaseUntil: until)
            if claimed.isEmpty { continue }
            let items = try await filled(claimed)
            for part in partition.parts(of: items) {
                let batch = delivery.batch(of: part, capabilities: capabilities)
                guard
                    let lease = try await delivery.store.freeze(batch, owner: owner, fence: fence, leaseUntil: until),
                    try await isAccepted(lease), try await isWithinLimits(lease, of: part, partition)
                else { continue }
                ready.append(Held(lease: lease, until: until))
            }
            return true
        }
        return false
    }

    private func recordLimit(of kind: RecordKind) -> Int {
        let limits = [
            capabilities.limit(of: kind), state.batchLimits[kind], isProbing ? delivery.options.probeRecords : nil,
        ]
        return max(1, limits.compactMap(\.self).min() ?? 1)
    }

    /// Returns whether the destination accepts the batch. If not, the batch is dissolved: records stay in the outbox,
    /// and deletions become dead letters, because a waiting deletion would block every later revision of its record.
    private func isAccepted(_ lease: BatchLease) async throws -> Bool {
        let batch = lease.batch
        let verdict: ItemVerdict
        if batch.operation == .delete && !capabilities.acceptsDeletions {
            verdict = .rejected(reason: "this destination does not accept deletions")
        } else if let limit = capabilities.limit(of: batch.kind),
            capabilities.acceptsCompression || !batch.isCompressed,
            capabilities.returnsVerdicts || batch.itemIDs.count <= limit,
            capabilities.groupsSampleDeletions || batch.operation == .store || batch.itemIDs.count == 1
        {
            return true
        } else {
            verdict = .retry
        }
        let isOurs = try await delivery.store.settle(
            lease, verdicts: batch.itemIDs.map { _ in verdict }, status: nil, now: delivery.time.now())
        if isOurs, verdict != .retry {
            report.unsupportedDeletions += batch.itemIDs.count
            report.dead += batch.itemIDs.count
        }
        return false
    }

    // MARK: Settling

    /// Settles the batch of `lease` as `verdict` requires.
    private func settle(_ lease: BatchLease, _ verdict: BatchVerdict) async throws {
        switch verdict {
        case .items(let verdicts, let status):
            try await settle(lease, items: verdicts, status: status)
            try await noteAnswer(changed: widen(after: lease.batch))
        case .unknown(let reason):
            try await again(lease, reason: reason, status: nil, retryAfter: nil)
        case .inProgress(let reason, let status, let retryAfter):
            // Only this batch waits, not the destination.
            let second = delivery.time.now().advanced(byMilliseconds: 1_000)
            try await giveBack(lease, reason: reason, status: status, notBefore: retryAfter ?? second)
        case .retryBatch(let reason, let status, let retryAfter):
            try await again(lease, reason: reason, status: status, retryAfter: retryAfter)
        case .failed(let reason, let status, let retryAfter):
            if watch.isAtFault(lease.batch.key, itemCount: lease.batch.itemIDs.count) {
                watch.suspect(try await split(lease, reason: "\(reason) for this and not for others", status: status))
            } else {
                try await again(lease, reason: reason, status: status, retryAfter: retryAfter)
            }
        case .bisect(let reason, let status):
            try await noteAnswer()
            _ = try await split(lease, reason: reason, status: status)
        case .tooLarge(let status):
            state.lowerLimit(after: lease.batch)
            try await noteAnswer(changed: true)
            _ = try await split(lease, reason: verdict.trouble ?? "too large", status: status)
        case .pause(let reason, let status):
            try await giveBack(lease, reason: reason, status: status, notBefore: delivery.time.now())
            try await pause(reason)
        case .disable(let reason, let status):
            try await giveBack(lease, reason: reason, status: status, notBefore: delivery.time.now())
            try await disable(reason)
        }
    }

    private func pause(_ reason: String) async throws {
        // Several batches that are in flight may be answered alike.
        if state.pausedReason != reason { delivery.log.note("delivery paused: \(reason)", level: .warning) }
        state.pausedReason = reason
        ending = .paused(reason: reason)
        try await remember()
    }

    private func disable(_ reason: String) async throws {
        state.isDisabled = true
        state.pausedReason = reason
        ending = .disabled(reason: reason)
        delivery.log.note("delivery stopped: \(reason)", level: .error)
        try await remember()
    }

    /// Counts a failure of the destination; returns the earliest instant of the next attempt.
    private func noteFailure(_ reason: String, retryAfter: Instant?) async throws -> Instant {
        let policy = delivery.options.policy
        let now = delivery.time.now()
        state.consecutiveFailures += 1
        let delay = policy.delayMilliseconds(
            afterFailures: state.consecutiveFailures, fraction: delivery.random.fraction())
        var notBefore = now.advanced(byMilliseconds: delay)
        if let retryAfter {
            notBefore = max(notBefore, retryAfter)
            state.notBefore = max(state.notBefore ?? retryAfter, retryAfter)
            holdUntil = max(holdUntil, retryAfter)
        }
        if isProbing { holdUntil = max(holdUntil, notBefore) }
        // Only the first failure is shown without --verbose.
        let isKnown = report.trouble != nil
        report.trouble = reason
        delivery.log.note(
            "\(delivery.destination): \(reason); next attempt at \(RFC3339.string(notBefore))",
            level: isKnown ? .debug : .warning)
        try await remember()
        return notBefore
    }

    private func giveBack(_ lease: BatchLease, reason: String, status: Int?, notBefore: Instant) async throws {
        _ = try await delivery.store.giveBack(
            lease, reason: reason, status: status, notBefore: notBefore, now: delivery.time.now())
    }

    private func remember() async throws {
        try await delivery.store.setDestinationState(state, of: delivery.destination)
    }

    /// Resets the failure count, because the destination responded.
    private func noteAnswer(changed: Bool = false) async throws {
        report.trouble = nil
        answeredAt = delivery.time.now()
        let isNotBeforeOver = state.notBefore.map { $0 <= delivery.time.now() } ?? false
        guard changed || isNotBeforeOver || state.consecutiveFailures > 0 else { return }
        state.consecutiveFailures = 0
        if isNotBeforeOver { state.notBefore = nil }
        try await remember()
    }

    private func again(_ lease: BatchLease, reason: String, status: Int?, retryAfter: Instant?) async throws {
        let notBefore = try await noteFailure(reason, retryAfter: retryAfter)
        try await giveBack(lease, reason: reason, status: status, notBefore: notBefore)
    }

    private func settle(_ lease: BatchLease, items verdicts: [ItemVerdict], status: Int?) async throws {
        let now = delivery.time.now()
        guard try await delivery.store.settle(lease, verdicts: verdicts, status: status, now: now) else {
            delivery.log.note("a lease expired before the batch was answered; the batch is sent again", level: .debug)
            return
        }
        let before = report
        let retried = verdicts.count { note($0) }
        let delivered = report.delivered - before.delivered
        let dead = report.dead - before.dead
        if delivered > 0 { watch.notePassed() }
        if dead > 0 {
            delivery.log.note(
                dead == 1
                    ? "the server rejected an item; it is kept as a dead letter"
                    : "the server rejected \(dead) items; they are kept as dead letters", level: .warning)
        }
        if retried > 0, retried == verdicts.count {
            // Without a pause, a destination that asks for everything again would be flooded.
            retryRounds += 1
            let delay = delivery.options.policy.delayMilliseconds(
                afterFailures: retryRounds, fraction: delivery.random.fraction())
            holdUntil = max(holdUntil, now.advanced(byMilliseconds: max(delay, 100)))
        } else {
            retryRounds = 0
        }
    }

    /// Counts a verdict; returns whether nothing of the item is settled.
    private func note(_ verdict: ItemVerdict) -> Bool {
        switch verdict {
        case .delivered, .stored: report.delivered += 1
        case .rejected: report.dead += 1
        case .retry: return true
        case .samples(let samples):
            note(samples)
            return !samples.waiting.isEmpty && samples.counts.answered == 0
        }
        return false
    }

    /// Replaces a batch by its halves, or rejects its only item; returns the keys of the halves.
    private func split(_ lease: BatchLease, reason: String, status: Int?) async throws -> [String] {
        guard lease.batch.sampleIDs.isEmpty else {
            try await divide(lease, reason: reason, status: status)
            return []
        }
        let ids = lease.batch.itemIDs
        guard ids.count > 1 else {
            try await settle(lease, items: [.rejected(reason: reason)], status: status)
            return []
        }
        var items: [OutboxItem] = []
        for id in ids {
            guard let item = try await delivery.store.item(id: id) else { continue }
            items.append(item)
        }
        guard items.count == ids.count else {
            try await settle(lease, items: ids.map { _ in .retry }, status: status)
            return []
        }
        let half = items.count / 2
        let parts = [items[..<half], items[half...]].map { part in
            delivery.batch(of: Array(part), capabilities: capabilities)
        }
        // Without the reason: it may be the server's text, which belongs in no log.
        delivery.log.note(
            "a batch of \(ids.count) items is halved" + (status.map { " (status \($0))" } ?? ""), level: .debug)
        guard try await delivery.store.split(lease, into: parts) else { return [] }
        return parts.map(\.key)
    }

    /// Raises the learned limit after a batch was delivered, once a run for each kind; returns whether it did.
    private func widen(after batch: OutboxBatch) -> Bool {
        guard let most = capabilities.limit(of: batch.kind), !widened.contains(batch.kind),
            state.raiseLimit(after: batch, most: most)
        else { return false }
        widened.insert(batch.kind)
        return true
    }

    // MARK: Raw samples

    /// Returns the items, those of raw samples with their payload.
    private func filled(_ items: [OutboxItem]) async throws -> [OutboxItem] {
        guard let slices, items.contains(where: { $0.content.slice != nil }) else { return items }
        let filled = try await slices.filled(items)
        let samples = filled.reduce(0) { $0 + ($1.content.slice?.only.count ?? 0) }
        let bytes = filled.reduce(0) { $0 + $1.content.payload.count }
        if samples > 0 { sampleBytes = max(1, bytes / samples) }
        return filled
    }

    /// Returns the number of samples that fit into one batch, with a margin because their length varies.
    private func samplesAtOnce(_ partition: BatchPartition) -> Int {
        max(1, min(partition.recordLimit, partition.byteLimit / sampleBytes * 98 / 100))
    }

    /// Returns whether a batch of raw samples is within the limits; an item too large for any batch is divided.
    private func isWithinLimits(
        _ lease: BatchLease, of items: [OutboxItem], _ partition: BatchPartition
    ) async throws -> Bool {
        guard items.count == 1, let ids = items[0].content.slice?.only, ids.count > 1 else { return true }
        let bytes = items[0].content.payload.count
        guard ids.count > partition.recordLimit || bytes > partition.byteLimit else { return true }
        let fitting = ids.count * 95 / 100 * partition.byteLimit / max(1, bytes)
        let size = max(1, min(partition.recordLimit, fitting))
        try await settle(lease, samples: SampleVerdicts(waiting: Self.groups(of: ids, size: size)), status: nil)
        return false
    }

    /// Divides a batch of raw samples that was rejected as a whole: several items are sent one by one, a single item in
    /// halves, and a single sample becomes a dead letter.
    private func divide(_ lease: BatchLease, reason: String, status: Int?) async throws {
        guard lease.batch.itemIDs.count == 1, let ids = lease.batch.sampleIDs.first else {
            try await settle(lease, items: lease.batch.itemIDs.map { _ in .retry }, status: status)
            return
        }
        var verdicts = SampleVerdicts()
        if ids.count > 1 {
            verdicts.waiting = Self.groups(of: ids, size: (ids.count + 1) / 2)
        } else {
            verdicts.rejected = ids.map { .init(id: $0, reason: reason) }
            verdicts.counts.rejected = ids.count
        }
        try await settle(lease, samples: verdicts, status: status)
    }

    /// Adds the outcome of raw samples to the report.
    private func note(_ verdicts: SampleVerdicts) {
        report.samples += verdicts.counts
        report.dead += verdicts.rejected.count
        if verdicts.waiting.isEmpty, verdicts.rejected.isEmpty {
            report.delivered += 1
            report.slices += 1
        }
    }

    private func settle(_ lease: BatchLease, samples: SampleVerdicts, status: Int?) async throws {
        let isOurs = try await delivery.store.settle(
            lease, verdicts: [.samples(samples)], status: status, now: delivery.time.now())
        if isOurs { note(samples) }
    }

    private static func groups(of ids: [SampleID], size: Int) -> [[SampleID]] {
        stride(from: 0, to: ids.count, by: size).map { Array(ids[$0..<min($0 + size, ids.count)]) }
    }

    // MARK: Waiting

    /// Waits until something can be sent; returns false if there is nothing, or not before the deadline.
    private func waitForMore() async throws -> Bool {
        guard ending == nil else { return false }
        let now = delivery.time.now()
        if holdUntil > now { return await wait(until: holdUntil) }
        // Postponed after a failure, or leased by a run that may have ended.
        guard let due = try await delivery.store.nextAttempt(destination: delivery.destination) else { return false }
        return await wait(until: max(due, now.advanced(byMilliseconds: Self.shortestWait)))
    }

    /// Waits until `instant`; returns false and sets `ending` if it is after the deadline, the run has waited long enough
    /// for this destination, or the task is cancelled.
    private func wait(until instant: Instant) async -> Bool {
        let now = delivery.time.now()
        guard instant > now else { return true }
        guard instant < deadline, !exceedsPatience(instant) else {
            ending = .waiting(until: instant)
            return false
        }
        defer { waitProgress.end() }
        do {
            // In steps, so that the remaining seconds can be shown.
            var left = instant.milliseconds - now.milliseconds
            while left > 0 {
                if let trouble = report.trouble {
                    waitProgress.show(trouble, failures: state.consecutiveFailures, milliseconds: left)
                }
                let step = min(left, Self.shownStep)
                try await delivery.time.wait(milliseconds: step)
                left -= step
            }
            return true
        } catch {
            ending = .cancelled
            return false
        }
    }

    private func exceedsPatience(_ instant: Instant) -> Bool {
        guard report.trouble != nil, let patience = delivery.options.patienceMilliseconds else { return false }
        return instant > answeredAt.advanced(byMilliseconds: patience)
    }

    /// In milliseconds: how often the remaining time is shown.
    private static let shownStep: Int64 = 1_000
    /// In milliseconds: what has just become due is found by the next claim.
    private static let shortestWait: Int64 = 10
}
