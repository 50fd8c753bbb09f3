import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit

/// The pages of a server, over stores in memory.
struct ReceivedLife {
    let life: Life
    let store = InMemoryReceivedDataStore()
    let tokens = InMemoryAccessTokenStore()

    init(today: CalendarDay) throws { life = try Life(today: today) }

    var pages: DashboardPages {
        let repository = life.stores.repository
        return .receiving(
            DashboardSources(
                repository: { _ in repository }, clock: life.clock, time: ManualTime(life.now), log: CollectedEvents()),
            received: store, tokens: tokens, hasher: LibcryptoHasher(), random: SystemRandom(), receivesPosts: true)
    }

    /// Stores `count` samples of `user` from `device`, a minute apart, from the start of `day`.
    func walk(_ day: CalendarDay, count: Int, device: String?, user: UserName = .local) async throws {
        let start = life.clock.start(of: day)
        let origin = ReceivedOrigin(bundleID: "com.apple.health", deviceName: device, unit: "count")
        let first = (day.ordinal * 100 + (device?.utf8.count ?? 0)) * 10_000
        let samples = (0..<count).map { index in
            let begin = start.advanced(bySeconds: Int64(index) * 60)
            return ReceivedSample(
                id: ReceivingSamples.id(first + index), start: begin, end: begin.advanced(bySeconds: 30), value: 10)
        }
        _ = try await store.store(
            ReceivedWrite(
                user: user, receivedAt: life.now,
                content: .samples(type: "steps", ReceivedSampleBatch(origins: [origin], samples: samples))))
    }

    /// Returns the response to a request by a viewer with `scopes`. With `form`, the request is a POST.
    func answer(
        _ address: String, form: [WebField]? = nil, scopes: Set<AccessScope> = Set(AccessScope.allCases),
        user: UserName = .local, token: String? = nil
    ) async -> WebResponse {
        var request = Life.request(address)
        request.viewer = WebViewer(
            user: user, scopes: scopes, hasSession: true, formToken: "0123456789abcdef", tokenID: token)
        if let form {
            request.method = .post
            request.form = form
        }
        return await pages.answer(request)
    }

    func html(_ address: String, scopes: Set<AccessScope> = Set(AccessScope.allCases)) async throws -> String {
        guard case .text(let html, _) = await answer(address, scopes: scopes).content else {
            throw ContractViolation(address)
        }
        return html
    }
}
