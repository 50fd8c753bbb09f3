import HealthSyncDomain
import HealthSyncPorts

/// Decides which versions of samples count: of one type, source and identifier (`HKMetadataKeySyncIdentifier`) the
/// highest one, and of equal ones the one that was read last, across days and devices.
///
/// Does nothing unless a new sample has an identifier with a version (`SampleDetail.comparedVersion`).
struct SampleVersions {
    /// The samples of a page that versions on other pages replace: the highest such version of each identifier.
    typealias Outdated = [ExactText: Int64]

    /// Replaced samples of stored pages.
    private(set) var outdated: [SamplePageKey: Outdated] = [:]
    /// Replaced samples of new pages.
    private var outranked: [SamplePageKey: Outdated] = [:]
    private var pages: [SamplePageKey] = []
    private var newest: [ContentDigest: Version] = [:]
    private let hasher: any ContentHasher
    private let skipsParts: Bool

    private struct Version {
        var number: Int64
        /// Position in the order of reading; negative for samples that were not read now.
        var order: Int64
        /// Index of its page in `pages`.
        var page: Int32

        static let stored: Int64 = -1
        static let deleted: Int64 = -2

        func outranks(_ other: Version) -> Bool { (number, order) > (other.number, other.order) }
    }

    /// Compares new samples with stored samples and tombstones. Samples of the same lineage are not compared if the new
    /// samples are all that the lineage has (`isWhole`). Stored samples are compared if they are at most `reach` days
    /// from the new ones, or all of them for `nil`: apps post often, and an edited sample hardly moves farther.
    init(
        arriving: PageSequence, held: HeldPages, lineage: Int, isWhole: (SampleType) -> Bool, reach: Int?,
        hasher: any ContentHasher
    ) throws {
        self.hasher = hasher
        skipsParts = reach != nil
        var sources: [Source: DayRange] = [:]
        try arriving.forEachVersioned { key, columns, order in
            let days = sources[Source(key)] ?? DayRange(key.day)
            sources[Source(key)] = DayRange(min(days.first, key.day), through: max(days.last, key.day))
            add(columns, at: key) { order[$0] ?? 0 }
        }
        for key in held.keys {
            guard let days = sources[Source(key)],
                reach.map({ days.widened(before: $0, after: $0).contains(key.day) }) ?? true
            else { continue }
            let stored = try isWhole(key.type) ? held.detailed(at: key, but: lineage) : held.detailed(at: key)
            add(stored, at: key) { _ in Version.stored }
        }
        for key in held.tombstoneKeys where sources[Source(key)] != nil && !isWhole(key.type) {
            guard let tombstones = try held.tombstones(at: key)?.columns else { continue }
            add(tombstones, at: key) { _ in Version.deleted }
        }
    }

    /// Returns whether versions replace samples of a page, stored or new ones.
    func concern(_ key: SamplePageKey) -> Bool { outdated[key] != nil || outranked[key] != nil }

    /// Returns the new samples of a page that count, and the number of those that do not.
    func counting(_ samples: SampleColumns, at key: SamplePageKey) -> (columns: SampleColumns, outranked: Int) {
        guard let replaced = outranked[key] else { return (samples, 0) }
        let columns = samples.without(replaced)
        return (columns, samples.count - columns.count)
    }

    private mutating func add(_ columns: SampleColumns, at key: SamplePageKey, order: (Int) -> Int64) {
        var page: Int32?
        for (row, detail) in columns.details {
            // A part of a record is identified by its time as well, so it does not move to another page.
            guard let identifier = detail.externalID, let number = detail.comparedVersion,
                !(skipsParts && DeletedSampleRows.record(of: identifier) != nil)
            else { continue }
            let place = page ?? Int32(pages.count)
            if page == nil { pages.append(key) }
            page = place
            compare(Version(number: number, order: order(row), page: place), identifier, at: key)
        }
    }

    private mutating func compare(_ version: Version, _ identifier: String, at key: SamplePageKey) {
        let name = hasher.digest("\(key.type.rawValue)\u{1F}\(key.origin.sourceName)\u{1F}\(identifier)")
        guard let other = newest[name] else {
            newest[name] = version
            return
        }
        let (lower, higher) = version.outranks(other) ? (other, version) : (version, other)
        newest[name] = higher
        // A deleted sample cannot be replaced, and a sample of a deleted version may return.
        guard lower.order != Version.deleted else { return }
        let page = pages[Int(lower.page)]
        if higher.order == Version.deleted {
            guard lower.order != Version.stored, lower.number < higher.number else { return }
        } else if page == pages[Int(higher.page)] {
            // Versions on one page are resolved when the page is merged.
            return
        }
        if lower.order == Version.stored {
            outdated[page, default: [:]].note(lower.number, of: identifier)
        } else {
            outranked[page, default: [:]].note(lower.number, of: identifier)
        }
    }

    private struct Source: Hashable {
        let type: SampleType
        let name: ExactText

        init(_ key: SamplePageKey) { (type, name) = (key.type, ExactText(key.origin.sourceName)) }
    }
}

extension SampleVersions.Outdated {
    fileprivate mutating func note(_ number: Int64, of identifier: String) {
        let identifier = ExactText(identifier)
        self[identifier] = Swift.max(self[identifier] ?? number, number)
    }
}

extension SampleColumns {
    /// Returns the samples without those that other versions replace.
    func without(_ outdated: SampleVersions.Outdated) -> SampleColumns {
        let kept = starts.indices.filter { row in
            guard let detail = details[row], let identifier = detail.externalID, let number = detail.comparedVersion,
                let highest = outdated[ExactText(identifier)]
            else { return true }
            return number > highest
        }
        return kept.count == count ? self : selecting(kept)
    }
}
