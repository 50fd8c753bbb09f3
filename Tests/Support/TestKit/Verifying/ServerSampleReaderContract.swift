package import HealthSyncDomain
package import HealthSyncPorts

/// The requirements of `ServerSampleReader`.
package enum ServerSampleReaderContract {
    /// A reader of a server that contains exactly `samples` of `type`.
    package struct Subject: Sendable {
        package var reader: any ServerSampleReader
        package var type: SampleType
        package var samples: [RawSample]

        package init(reader: any ServerSampleReader, type: SampleType, samples: [RawSample]) {
            self.reader = reader
            self.type = type
            self.samples = samples
        }
    }

    /// Provides a subject for a check and removes it afterwards.
    package typealias Provider =
        @Sendable (_ check: @Sendable (Subject) async throws -> Void) async throws -> Void

    /// Returns the clauses, each with its own subject.
    package static func clauses(_ provide: @escaping Provider) -> [ContractClause] {
        [
            ContractClause("digests cover the samples that start in the interval, in the requested order") {
                try await provide(digests)
            },
            ContractClause("an interval without samples has the digest of the empty set") { try await provide(empty) },
            ContractClause("an unknown type has no samples") { try await provide(otherType) },
            ContractClause("pages contain each sample of the range once") { try await provide(pages) },
        ]
    }

    /// Returns `count` samples of five minutes, seven per day, from 2024-01-15T08:00:00Z on.
    package static func samples(_ count: Int) -> [RawSample] {
        var random = SeededRandom(seed: 7)
        return (0..<count).map { index in
            let start = Instant(seconds: 1_705_305_600 + Int64(index) * 300 + Int64(index / 7) * 86_400)
            return RawSample(
                id: SampleID(version5: ContentDigest(high: random.next(), low: random.next())), start: start,
                end: start.advanced(bySeconds: 300), value: Double(100 + index))
        }
    }

    private static func digest(_ samples: [RawSample], in range: InstantRange) -> SampleSetDigest {
        var digest = SampleSetDigest()
        for sample in samples where range.contains(sample.start) { digest.insert(sample) }
        return digest
    }

    @Sendable private static func digests(_ subject: Subject) async throws {
        guard let first = subject.samples.first, let last = subject.samples.last else { return }
        for exponent in [9, 12, 17, 24, 30] {
            let intervals = [last, first].map { GridInterval(containing: $0.start, exponent: exponent) }
            let answers = try await subject.reader.digests(of: subject.type, in: intervals)
            try ContractViolation.unlessEqual(answers.count, 2, "answers")
            for (interval, answer) in zip(intervals, answers) {
                let expected = digest(subject.samples, in: interval.range)
                try ContractViolation.unlessEqual(answer.whole, expected, "2^\(exponent) s from \(interval.start)")
                try ContractViolation.unless(answer.isConsistent, "the halves of \(interval) do not sum to it")
                guard let halves = interval.halves else { continue }
                try ContractViolation.unlessEqual(
                    answer.first, digest(subject.samples, in: halves.first.range), "first half")
            }
        }
    }

    @Sendable private static func empty(_ subject: Subject) async throws {
        let before = GridInterval(containing: Instant(milliseconds: 0), exponent: 20)
        let answer = try await subject.reader.digests(of: subject.type, in: [before])
        let nothing = SampleSetDigest()
        try ContractViolation.unlessEqual(
            answer, [HalvedDigest(whole: nothing, first: nothing, second: nothing)], "empty interval")
    }

    @Sendable private static func otherType(_ subject: Subject) async throws {
        let other = SampleType(rawValue: "HKQuantityTypeIdentifierNumberOfTimesFallen")
        let range = GridInterval.root(containing: Instant(milliseconds: 1_705_305_600_000)).range
        let page = try await subject.reader.samples(of: other, in: range, from: nil)
        try ContractViolation.unlessEqual(page, RawSamplePage(samples: [], next: nil), "samples")
    }

    @Sendable private static func pages(_ subject: Subject) async throws {
        guard subject.samples.count > 10 else { return }
        let range = InstantRange(start: subject.samples[2].start, end: subject.samples[9].start)
        var found: [RawSample] = []
        var cursor: String?
        repeat {
            let page = try await subject.reader.samples(of: subject.type, in: range, from: cursor)
            found += page.samples
            cursor = page.next
        } while cursor != nil && found.count <= subject.samples.count
        try ContractViolation.unlessEqual(
            found.sorted { $0.start < $1.start }, Array(subject.samples[2..<9]), "samples of the range")
    }
}
