import Foundation
package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// Pulls the posts that wait on a server: `/api/v1/inbox/posts`.
package struct HTTPServerInbox: ServerInbox {
    private let settings: HTTPOutboxSettings
    private let pool = CurlPool(slots: 1)

    /// The address of the server.
    package var address: String { settings.address.text }

    private let time: any TimeSource

    /// - Parameters:
    ///   - address: the base address of the server.
    ///   - token: a token with the scope `inbox`; `nil` for a server that requires none.
    ///   - timeoutMilliseconds: the time limit of a request, to which the time for its body is added.
    /// - Throws: `SyncFailure` with `.configuration` for an address or a token that is not valid.
    package init(
        address: String, token: String?, timeoutMilliseconds: Int, time: any TimeSource
    ) throws(SyncFailure) {
        var settings = try HTTPOutboxSettings(address: ServerAddress(address), token: token, profile: nil)
        settings.totalTimeoutMilliseconds = timeoutMilliseconds
        self.settings = settings
        self.time = time
    }

    private static let path = "/api/v1/inbox/posts"
    /// The slowest transfer of a post that is not given up, in bytes per millisecond.
    private static let slowestRate = 4
    /// The largest post in its archived form, in bytes: a body of 64 MiB and a head.
    private static let largestPost: Int64 = 65 << 20
    /// The most posts of a list that are used.
    private static let postsPerRequest = 1_000

    package func posts(after id: String?, waitSeconds: Int) async throws -> [WaitingPost] {
        let query = id.map { "?after=\(PercentEncoding.encoded($0))" } ?? ""
        var request = request("GET", query)
        if waitSeconds > 0 { request.fields.append("Prefer: wait=\(waitSeconds)") }
        var limits = limits(additionalMilliseconds: waitSeconds * 1_000)
        limits.stallSeconds += waitSeconds
        let outcome = try await patiently { [request, limits] in try await abandonable(request, limits) }
        guard case .answer(let status, _, let body?) = outcome, status == 200 else { throw failure(outcome) }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)) else {
            throw SyncFailure(
                .configuration, subject: address, reason: "the list of posts cannot be read",
                advice: "check the address, and the version of the server")
        }
        // What follows is listed by the next request.
        return answer.posts.prefix(Self.postsPerRequest).map { WaitingPost(id: $0.id, bytes: $0.bytes) }
    }

    package func fetch(_ post: WaitingPost, into writer: any PulledPostWriter) async throws -> Bool {
        let bytes = Int(clamping: min(max(0, post.bytes), Self.largestPost))
        var limits = limits(additionalMilliseconds: bytes / Self.slowestRate)
        limits.slowestBytesPerSecond = Self.slowestRate * 1_000
        let receiver = PostReceiver(writer)
        let outcome = try await patiently { [limits] in
            await pool.perform(
                request("GET", "/" + PercentEncoding.encoded(post.id)),
                limits: limits, receive: receiver)
        }
        try receiver.check()
        switch outcome {
        case .answer(let status, _, _?) where status == 200: return true
        case .answer(let status, _, _) where status == 404: return false
        default: throw failure(outcome)
        }
    }

    package func confirm(_ ids: [String]) async throws {
        let list = ids.map { PercentEncoding.encoded($0) }.joined(separator: ",")
        let outcome = try await patiently {
            await pool.perform(request("DELETE", "?ids=\(list)"), limits: settings.limits)
        }
        guard case .answer(let status, _, _) = outcome, status == 200 else { throw failure(outcome) }
    }

    private func request(_ method: String, _ rest: String) -> CurlRequest {
        CurlRequest(method: method, address: address + Self.path + rest, fields: settings.commonFields)
    }

    private func limits(additionalMilliseconds milliseconds: Int) -> CurlLimits {
        var limits = settings.limits
        limits.totalMilliseconds += milliseconds
        return limits
    }

    /// Repeats a request as long as the server limits their rate, after the pause that it names.
    private func patiently(_ perform: () async throws -> CurlOutcome) async throws -> CurlOutcome {
        var pauses = 0
        while true {
            let outcome = try await perform()
            guard case .answer(let status, let retryAfter, _) = outcome, status == 429, pauses < Self.mostPauses else {
                return outcome
            }
            pauses += 1
            let seconds = retryAfter?.withoutOuterBlanks.unsignedDecimal ?? 1
            try await time.wait(milliseconds: min(max(1, seconds), 60) * 1_000)
        }
    }

    private static let mostPauses = 10

    /// Performs a request that may take long because the server waits, and does not wait for its end once the calling
    /// task is cancelled.
    private func abandonable(_ request: CurlRequest, _ limits: CurlLimits) async throws -> CurlOutcome {
        let (outcomes, continuation) = AsyncStream.makeStream(of: CurlOutcome.self)
        // Unstructured: libcurl cannot be interrupted, and a process that ends must not wait for the server.
        Task {
            continuation.yield(await pool.perform(request, limits: limits))
            continuation.finish()
        }
        for await outcome in outcomes { return outcome }
        throw CancellationError()
    }

    private func failure(_ outcome: CurlOutcome) -> SyncFailure {
        let (reason, advice, isFinal): (String, String, Bool) =
            switch outcome {
            case .answer(let status, _, _) where status == 401:
                (
                    "the server requires a valid token (401)", "use a token that `healthsync token create` made there",
                    true
                )
            case .answer(let status, _, _) where status == 403:
                ("the token does not have the scope inbox (403)", "create one with --scope inbox", true)
            case .answer(let status, _, _) where status == 404:
                ("the server has no inbox (404)", "check the address, and the version of the server", true)
            case .answer(let status, _, _) where (200..<300).contains(status):
                ("the response is truncated or too long", "try again later", false)
            case .answer(let status, _, _): ("the server responded with status \(status)", "try again later", false)
            case .failure(.certificate(let reason)): (reason, "check the certificate of the server", true)
            case .failure(.unusableAddress(let reason)): (reason, "check the address", true)
            case .failure(.network(let reason)): (reason, "try again later", false)
            }
        return SyncFailure(
            isFinal ? .configuration : .serverUnavailable, subject: address, reason: reason, advice: advice)
    }

    private struct Answer: Decodable {
        struct Post: Decodable {
            var id: String
            var bytes: Int64
        }
        var posts: [Post]
    }
}

/// Passes the body of a response on to the archive.
private final class PostReceiver: CurlReceiver {
    private let writer: any PulledPostWriter
    private let failure = Mutex<(any Error)?>(nil)

    init(_ writer: any PulledPostWriter) { self.writer = writer }

    func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
        do {
            // The transfer is part of the task that asked for the post.
            try Task.checkCancellation()
            unsafe try writer.append(piece)
            return true
        } catch {
            failure.withLock { $0 = error }
            return false
        }
    }

    /// Throws the error that ended the transfer.
    func check() throws {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
