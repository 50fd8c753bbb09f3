package import HealthSyncDomain
import HealthSyncPorts

/// The stored result of the last verification of a server.
package struct StoredVerdict: Sendable {
    let ports: EnginePorts

    /// Returns the last verification of the server at `destination`, and whether anything changed since.
    package func state(of destination: String) async throws -> VerificationState {
        guard let last = try await ports.verifications.lastVerification(of: destination) else {
            return VerificationState(last: nil, hasChangedSince: false)
        }
        let runs = try await ports.runs.lastRuns(limit: EngineSettings.runsKept)
        return VerificationState(last: last, hasChangedSince: runs.contains { $0.hasChangedSomething(after: last.at) })
    }

    /// Stores the result of a complete verification.
    package func remember(_ report: VerificationReport) async throws {
        var verification = Verification(at: ports.time.now(), verdict: .different)
        verification.records = report.records?.compared ?? 0
        verification.samples = report.types.reduce(0) { $0 + $1.localCount }
        verification.differing = report.differing
        if report.isEqual { verification.verdict = report.isRecordless ? .unverifiable : .equal }
        if report.isEqual && report.isRecordless {
            verification.reason = "the server returns no digests of derived records"
        }
        try await ports.verifications.setLastVerification(verification, of: report.destination)
    }

    /// Stores that the server could not be verified because of `failure`. Other failures are ignored.
    package func remember(_ failure: SyncFailure) async throws {
        guard let destination = ports.server?.address else { return }
        let verdicts: [SyncFailure.Code: Verification.Verdict] = [
            .unverifiable: .unverifiable, .serverUnavailable: .unreachable,
        ]
        guard let verdict = verdicts[failure.code] else { return }
        var verification = Verification(at: ports.time.now(), verdict: verdict)
        verification.reason = String(failure.reason.prefix(500))
        try await ports.verifications.setLastVerification(verification, of: destination)
    }
}

extension RecordedRun {
    /// Returns whether the run began after `instant` and changed or sent anything, as far as is known.
    fileprivate func hasChangedSomething(after instant: Instant) -> Bool {
        guard startedAt > instant else { return false }
        guard let end, end.ending != .cutOff else { return true }
        let account = end.account
        return account.changedRecords > 0 || account.reading.stored > 0 || account.reading.deleted > 0
            || account.delivery?.delivered ?? 0 > 0
    }
}
