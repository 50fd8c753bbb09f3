import HealthSyncDomain
import Testing

@Suite("The verdict on delivery")
struct DeliveryVerdictTests {
    private static let at = Instant(seconds: 1_700_000_000)
    private static let pause = DeliveryVerdict.pause(since: "15 Mar 2024 14:45")

    private func verdict(
        _ counts: [DeliveryState: Int], pause: String? = nil, state: DestinationState? = nil,
        trouble: String? = nil, last: Verification? = nil, changed: Bool = false, rejection: OutboxItem? = nil
    ) -> DeliveryVerdict {
        DeliveryVerdict(
            counts: counts, pause: pause, state: state, trouble: trouble,
            verification: VerificationState(last: last, hasChangedSince: changed), rejection: rejection
        ) { "\($0)" }
    }

    private var equal: Verification {
        var verification = Verification(at: Self.at, verdict: .equal)
        (verification.records, verification.samples) = (320, 42_000)
        return verification
    }

    @Test("Rejected and waiting records come before any verification, with the reason of the server")
    func rejected() {
        var item = OutboxItem(
            id: 1,
            content: NewOutboxItem(
                destination: "x", kind: .sleep, dedupKey: "a", orderingKey: "a", revision: 1, payload: [],
                recordIDs: []),
            state: .dead, attempts: 1, lastStatus: 422, lastReason: "no such hour", createdAt: Self.at,
            updatedAt: Self.at)
        let found = verdict([.dead: 20, .pending: 100, .leased: 15, .delivered: 9], last: equal, rejection: item)
        #expect(found.tone == .bad && found.at == nil)
        #expect(found.statement == "20 items rejected, 100 waiting, 15 in flight")
        #expect(found.reason == "the server's reason for one of them: no such hour")
        item.lastReason = "1 of 23 records rejected: no such hour"
        #expect(verdict([.dead: 1], rejection: item).reason == "the server's reason: no such hour")
        item.lastReason = "2 records rejected: why"
        #expect(verdict([.dead: 1], rejection: item).reason == "the server's reason: 2 records rejected: why")
        item.lastReason = String(repeating: "x", count: 201)
        #expect(verdict([.dead: 1], rejection: item).reason?.hasSuffix("x…") == true)
        item.lastReason = "the server returned 422: no"
        #expect(verdict([.dead: 1], rejection: item).reason == "the server returned 422: no")
        item.lastReason = nil
        #expect(verdict([.dead: 1], rejection: item).reason == "the server's status: 422")
        item.lastStatus = nil
        let silent = verdict([.dead: 1], rejection: item)
        #expect(silent.statement == "1 item rejected" && silent.reason == nil)
        let paused = verdict([.dead: 1, .pending: 2], pause: Self.pause, rejection: item)
        #expect(paused.reason == Self.pause)
    }

    @Test("Waiting records have the reason why they wait")
    func waiting() {
        #expect(verdict([.pending: 1]).statement == "1 item waiting")
        #expect(verdict([.pending: 1]).tone == .neutral)
        var state = DestinationState()
        state.consecutiveFailures = 4
        #expect(verdict([.pending: 2], state: state).reason == "the last 4 attempts failed")
        let known = verdict([.pending: 2], state: state, trouble: "Couldn't connect to server")
        #expect(known.reason == "the last 4 attempts failed (Couldn't connect to server)")
        #expect(verdict([.pending: 2], trouble: "Couldn't connect to server").reason?.contains("connect") == false)
        state.pausedReason = "the token is invalid"
        #expect(verdict([.pending: 2], state: state).reason == "the token is invalid")
        state.isDisabled = true
        #expect(verdict([.pending: 2], state: state).reason == "the server reports that it is permanently gone")
        let paused = verdict([.leased: 2], pause: Self.pause, state: state)
        #expect(paused.tone == .neutral && paused.statement == "2 items in flight" && paused.reason == Self.pause)
    }

    @Test("If nothing waits, the last verification is the verdict")
    func verified() {
        let good = verdict([.delivered: 5], last: equal)
        #expect(good.tone == .good && good.statement == "all 320 records and 42000 samples verified")
        #expect(good.at == Self.at && good.reason == nil)
        let changed = verdict([.delivered: 5], last: equal, changed: true)
        #expect(changed.tone == .neutral && changed.reason == "records were sent or changed since")
        let paused = verdict([.delivered: 5], pause: Self.pause, last: equal)
        #expect(paused == good)
        var other = Verification(at: Self.at, verdict: .different)
        other.differing = 2
        #expect(verdict([:], last: other).statement == "2 differences, verified")
        #expect(verdict([:], last: other).tone == .bad)
        #expect(verdict([.delivered: 5]).statement == "everything was sent")
        #expect(verdict([:]).statement == "nothing was sent yet")
    }
}
