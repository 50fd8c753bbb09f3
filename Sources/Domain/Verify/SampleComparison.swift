/// Compares local samples with those of a server.
package enum SampleComparison {
    /// Returns the samples that differ, ascending by start and id.
    package static func differences(local: [RawSample], server: [RawSample]) -> [SampleDifference] {
        var unmatched: [SampleID: RawSample] = [:]
        for sample in server { unmatched[sample.id] = sample }
        var differences: [SampleDifference] = []
        for sample in local {
            guard let other = unmatched.removeValue(forKey: sample.id) else {
                differences.append(SampleDifference(kind: .missing, id: sample.id, start: sample.start))
                continue
            }
            if sample.start != other.start || sample.end != other.end || sample.value != other.value {
                differences.append(
                    SampleDifference(kind: .changed, id: sample.id, start: sample.start, revision: other.revision))
            }
        }
        differences += unmatched.values.map {
            SampleDifference(kind: .surplus, id: $0.id, start: $0.start, revision: $0.revision)
        }
        return differences.sorted {
            ($0.start, $0.id.high, $0.id.low) < ($1.start, $1.id.high, $1.id.low)
        }
    }
}

/// A raw sample with the values known both to the local store and to servers.
package struct RawSample: Hashable, Sendable {
    package var id: SampleID
    package var start: Instant
    package var end: Instant
    package var value: Double
    /// 0 if unknown.
    package var revision: Int

    package init(id: SampleID, start: Instant, end: Instant, value: Double, revision: Int = 0) {
        self.id = id
        self.start = start
        self.end = end
        self.value = value
        self.revision = revision
    }

    /// Creates the sample at `row` of `samples` of `type`, as it is sent.
    package init(_ samples: RawSamples, _ row: Int, of type: SampleType) {
        let start = samples.starts[row]
        let value = samples.values[row]
        self.init(
            id: samples.ids[row], start: Instant(milliseconds: start),
            end: Instant(milliseconds: start + samples.durations[row]),
            value: type == SampleTypeDefinition.stepCount.type ? LayeringRule.sentCount(value) : value)
    }
}

/// A page of the list of samples on a server.
package struct RawSamplePage: Hashable, Sendable {
    package var samples: [RawSample]
    /// The position of the next page; `nil` for the last page.
    package var next: String?

    package init(samples: [RawSample], next: String?) {
        self.samples = samples
        self.next = next
    }
}

/// A difference between the local store and a server in one sample.
package struct SampleDifference: Hashable, Sendable {
    /// The kind of a difference.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Stored locally, but not on the server.
        case missing
        /// Stored on the server, but not locally.
        case surplus
        /// Stored on both sides with a different start, end or value.
        case changed
    }

    package var kind: Kind
    package var id: SampleID
    /// The local start of the sample, or the start on the server if it is surplus.
    package var start: Instant
    /// The revision on the server; 0 for a missing sample.
    package var revision: Int

    package init(kind: Kind, id: SampleID, start: Instant, revision: Int = 0) {
        self.kind = kind
        self.id = id
        self.start = start
        self.revision = revision
    }
}

/// An interval of the grid in which the samples of the local store and a server differ.
package struct IntervalDifference: Hashable, Sendable {
    package var interval: GridInterval
    /// Ascending by start and id.
    package var samples: [SampleDifference]

    package init(interval: GridInterval, samples: [SampleDifference]) {
        self.interval = interval
        self.samples = samples
    }
}
