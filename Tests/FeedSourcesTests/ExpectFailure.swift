import HealthSyncDomain
import Testing

/// Records an issue unless `body` throws a failure of this code.
func expectFailure(_ code: SyncFailure.Code, _ body: () async throws -> Void) async {
    let failure = await #expect(throws: SyncFailure.self) { try await body() }
    #expect(failure?.code == code)
}
