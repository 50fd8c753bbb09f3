import HealthSyncDomain
import HealthSyncPorts

/// The last verification of each server, in `verification`.
struct SQLiteVerificationStore: VerificationStore {
    let writer: SQLiteWriter
    let reader: SQLiteReader

    func lastVerification(of destination: String) async throws -> Verification? {
        try await reader.read { connection in
            try connection.first(
                """
                SELECT verified_at_ms, records, samples, differing, reason, verdict FROM verification
                WHERE destination = ?1
                """, destination
            ) { row -> Verification? in
                var verification = Verification(at: try row.instant(), verdict: .unverifiable)
                verification.records = try row.int()
                verification.samples = try row.int()
                verification.differing = try row.int()
                verification.reason = try row.text()
                guard let verdict = Verification.Verdict(rawValue: try row.text()) else { return nil }
                verification.verdict = verdict
                return verification
            } ?? nil
        }
    }

    func setLastVerification(_ verification: Verification?, of destination: String) async throws {
        try await writer.write(isEssential: false) { transaction in
            guard let verification else {
                try transaction.connection.execute("DELETE FROM verification WHERE destination = ?1", destination)
                return
            }
            try transaction.connection.execute(
                """
                INSERT OR REPLACE INTO verification (destination, verified_at_ms, verdict, records, samples, differing,
                    reason)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """, destination, verification.at, verification.verdict.rawValue, verification.records,
                verification.samples, verification.differing, verification.reason)
        }
    }
}
