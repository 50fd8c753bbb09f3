/// The hash of sample ids under which a server finds stored samples. Clients choose their ids, so the key of each
/// database is random: without it, nobody can choose ids that share a place in the index.
package struct SampleIDHash: Hashable, Sendable {
    /// The number of leading bits that segments of the index use.
    package static let prefixBits = 36

    /// What the index computes once of each id that it searches.
    package struct Value: Hashable, Sendable {
        /// The hash.
        package let hash: UInt64
        /// The places of the id in the blocks of filters.
        let bits: UInt64

        /// The first 36 bits of the hash.
        package var prefix: UInt64 { hash >> UInt64(64 - SampleIDHash.prefixBits) }
    }

    private let key: UInt64

    package init(key: UInt64) { self.key = key }

    /// Returns the hash of `id`.
    package func hash(_ id: SampleID) -> UInt64 { SplitMix.mixed(SplitMix.mixed(id.high ^ key) ^ id.low) }

    /// Returns the first 36 bits of the hash of `id`.
    package func prefix(_ id: SampleID) -> UInt64 { hash(id) >> UInt64(64 - Self.prefixBits) }

    /// Returns what a search needs of the ids of `samples`.
    package func values(of samples: [ReceivedSample]) -> [Value] {
        samples.map { sample in
            let hash = hash(sample.id)
            return Value(hash: hash, bits: SplitMix.mixed(hash >> UInt64(64 - Self.prefixBits)))
        }
    }
}
