package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// An in-memory server of raw samples with the interface of a real one.
package final class InMemorySampleServer: ServerSampleReader {
    package let intervalsPerRequest: Int
    private let pageSize: Int
    private let state: Mutex<State>

    private struct State {
        var samples: [SampleType: [RawSample]] = [:]
        var requests = 0
        var failsAfter: Int?
        var lies = false
    }

    /// Creates a server without samples.
    package init(intervalsPerRequest: Int = 4, pageSize: Int = 3) {
        self.intervalsPerRequest = intervalsPerRequest
        self.pageSize = pageSize
        state = Mutex(State())
    }

    /// The number of requests so far.
    package var requests: Int { state.withLock { $0.requests } }

    /// Replaces the samples of `type`.
    package func hold(_ samples: [RawSample], of type: SampleType) {
        state.withLock { $0.samples[type] = samples }
    }

    /// Makes all requests after the next `count` fail.
    package func fail(after count: Int) { state.withLock { $0.failsAfter = $0.requests + count } }

    /// Makes the digests of halves inconsistent with those of their intervals.
    package func lie() { state.withLock { $0.lies = true } }

    package func digests(of type: SampleType, in intervals: [GridInterval]) async throws -> [HalvedDigest] {
        try count()
        return state.withLock { state in
            intervals.map { interval in
                let middle = interval.start.advanced(bySeconds: interval.seconds / 2)
                var halves = (SampleSetDigest(), SampleSetDigest())
                for sample in state.samples[type] ?? [] where interval.contains(sample.start) {
                    if sample.start < middle { halves.0.insert(sample) } else { halves.1.insert(sample) }
                }
                var whole = halves.0 + halves.1
                if state.lies { whole.insert(SampleID(high: 0, low: 1), start: 0, end: 0, value: 0) }
                return HalvedDigest(whole: whole, first: halves.0, second: halves.1)
            }
        }
    }

    package func samples(
        of type: SampleType, in range: InstantRange, from cursor: String?
    ) async throws -> RawSamplePage {
        try count()
        let samples = state.withLock { $0.samples[type] ?? [] }.filter { range.contains($0.start) }
        let first = cursor.flatMap(Int.init) ?? 0
        let end = min(samples.count, first + pageSize)
        return RawSamplePage(samples: Array(samples[min(first, end)..<end]), next: end < samples.count ? "\(end)" : nil)
    }

    private func count() throws {
        let mayAnswer = state.withLock { state in
            state.requests += 1
            return state.failsAfter.map { state.requests <= $0 } ?? true
        }
        guard mayAnswer else {
            throw SyncFailure(
                .serverUnavailable, subject: "server", reason: "connection lost", advice: "try again")
        }
    }
}
