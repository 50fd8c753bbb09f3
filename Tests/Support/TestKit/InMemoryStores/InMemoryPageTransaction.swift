import HealthSyncDomain
import HealthSyncPorts

/// Changes a copy of the state, which replaces the state when the transaction succeeds.
final class InMemoryPageTransaction: SamplePageTransaction {
    var state: InMemoryState

    init(_ state: InMemoryState) { self.state = state }

    func digests(provider: String, types: [SampleType]) throws -> [SamplePageKey: ContentDigest] {
        var digests: [SamplePageKey: ContentDigest] = [:]
        for (key, page) in state.pages where key.provider == provider && types.contains(key.key.type) {
            digests[key.key] = page.digest
        }
        return digests
    }

    func page(provider: String, at key: SamplePageKey) throws -> PackedPage? {
        state.pages[.init(provider: provider, key: key)]
    }

    func put(_ page: PackedPage, provider: String, definition: SampleTypeDefinition, longestSample: Int64) throws {
        let longest = max(longestSample, state.types[definition.type]?.longest ?? 0)
        state.types[definition.type] = .init(definition: definition, longest: longest)
        state.noteChange(.init(provider: provider, key: page.key))
        state.pages[.init(provider: provider, key: page.key)] = page
        state.complete = [:]
    }

    func remove(provider: String, at key: SamplePageKey) throws {
        guard state.pages[.init(provider: provider, key: key)] != nil else { return }
        state.noteChange(.init(provider: provider, key: key))
        state.pages[.init(provider: provider, key: key)] = nil
        state.complete = [:]
    }

    func tombstones(provider: String, at key: SamplePageKey) throws -> (page: PackedPage, exportDate: Instant)? {
        state.tombstones[.init(provider: provider, key: key)]
    }

    func setTombstones(
        _ page: PackedPage?, provider: String, at key: SamplePageKey, exportDate: Instant
    ) throws {
        state.tombstones[.init(provider: provider, key: key)] = page.map { ($0, exportDate) }
    }

    func tombstoneKeys(provider: String) throws -> Set<SamplePageKey> {
        Set(state.tombstones.keys.filter { $0.provider == provider }.map(\.key))
    }

    func snapshotDates(provider: String) throws -> [Int: SnapshotDates] { state.snapshotDates[provider] ?? [:] }

    func setSnapshotDates(_ dates: SnapshotDates, provider: String, lineage: Int) throws {
        state.snapshotDates[provider, default: [:]][lineage] = dates == SnapshotDates() ? nil : dates
    }

    func lineageDigests(provider: String) throws -> [SamplePageKey: [Int: ContentDigest]] {
        var digests: [SamplePageKey: [Int: ContentDigest]] = [:]
        for (key, lines) in state.lineagePages where key.provider == provider {
            digests[key.key] = lines.mapValues(\.digest)
        }
        return digests
    }

    func lineagePages(provider: String, at key: SamplePageKey) throws -> [Int: PackedPage] {
        state.lineagePages[.init(provider: provider, key: key)] ?? [:]
    }

    func setLineagePage(_ page: PackedPage?, provider: String, at key: SamplePageKey, lineage: Int) throws {
        var lines = try lineagePages(provider: provider, at: key)
        lines[lineage] = page
        state.lineagePages[.init(provider: provider, key: key)] = lines.isEmpty ? nil : lines
    }

    func hasDeletedRows(provider: String) throws -> Bool { state.deleted.keys.contains { $0.provider == provider } }

    func deletedRow(provider: String, externalID: String) throws -> DeletedRow? {
        state.deleted[.init(provider: provider, externalID: externalID)]
    }

    func putDeletedRow(_ row: DeletedRow) throws {
        if let key = row.content?.key { state.noteChange(.init(provider: row.provider, key: key)) }
        state.deleted[.init(provider: row.provider, externalID: row.externalID)] = row
        state.complete = [:]
    }

    func removeDeletedRow(provider: String, externalID: String) throws {
        let row = state.deleted.removeValue(forKey: .init(provider: provider, externalID: externalID))
        if let key = row?.content?.key { state.noteChange(.init(provider: provider, key: key)) }
        state.complete = [:]
    }

    func remember(_ source: ImportedSource, isComplete: Bool) throws {
        state.sources[source.fingerprint.path] = source
    }
}
