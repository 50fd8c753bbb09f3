import HealthSyncDomain
import HealthSyncPorts

/// Derives the activity snapshots of days whose metrics changed.
struct SnapshotUpdate: Sendable {
    let ports: EnginePorts
    let request: SyncRequest
    /// The complete parts; `nil` to compare everything.
    let parts: CompleteParts?

    /// Derives the snapshots and returns the number of changed ones.
    func run() async throws -> Int {
        let changed = try await changedDays()
        var (count, days) = (0, 0)
        var commit = SyncCommit(metric: Self.metric)
        let batches = DerivationBatch.ranges(of: changed.days)
        for (index, batch) in batches.enumerated() {
            try Task.checkCancellation()
            try await add(batch.days, in: batch.range, digests: changed.current, to: &commit)
            days += batch.days.count
            guard index == batches.count - 1 || days >= DerivationBatch.days else { continue }
            if let server = ports.server { commit.enqueue(for: server) }
            try await ports.tracking.commit(commit)
            count += commit.snapshots.count + commit.removedSnapshots.count
            (commit, days) = (SyncCommit(metric: Self.metric), 0)
        }
        parts?.note(.metric(Self.metric), by: Self.rules)
        return count
    }

    /// Returns the days on which the inputs of the snapshot changed; with `force` all days.
    func changedDays() async throws -> ChangedDays.Found {
        if !request.force, try await parts?.isComplete(.metric(Self.metric), by: Self.rules) ?? false {
            return ChangedDays.Found(current: [:], days: [])
        }
        let current = try await digests()
        let tracked = try await ports.tracking.trackedDigests(of: Self.metric, days: request.days)
        return ChangedDays.Found(
            current: current,
            days: request.days.filter { day in
                request.force ? current[day] ?? tracked[day] != nil : current[day] != tracked[day]
            })
    }

    /// Adds the changed snapshots of `days`, which are in `range`.
    private func add(
        _ days: [CalendarDay], in range: DayRange, digests: [CalendarDay: ContentDigest], to commit: inout SyncCommit
    ) async throws {
        let revisions = RevisionClock(ports.time)
        let stored = try await ports.tracking.snapshots(days: range)
        var old = Dictionary(uniqueKeysWithValues: stored.map { ($0.record.day, $0) })
        var progress: [CalendarDay: [DailyProgress]] = [:]
        for metric in Self.figures {
            for record in try await ports.repository.dailyFigures(of: metric, days: range) {
                progress[record.day, default: []].append(record)
            }
        }
        let sleep = Dictionary(grouping: try await ports.repository.sleep(days: range), by: \.day)
        let removed = try await ports.tracking.tombstoneRevisions(
            of: days.filter { old[$0] == nil }.map(Self.sourceID))
        for day in days {
            commit.tracking[day] = digests[day]
            if digests[day] == nil { commit.untracked.append(day) }
            let snapshot = ActivitySnapshot(day: day, progress: progress[day] ?? [], sleep: sleep[day] ?? [])
            let before = old.removeValue(forKey: day)
            if snapshot.isEmpty {
                if let before {
                    commit.removedSnapshots.append(day)
                    let revision = revisions.next(after: before.revision)
                    commit.removed.append(Tombstone(before.sourceID, kind: .snapshots, revision: revision))
                }
                continue
            }
            if before?.record == snapshot && !request.force { continue }
            let id = Self.sourceID(day)
            let revision = revisions.next(after: before?.revision, removed[id])
            commit.snapshots.append(RevisedRecord(snapshot, sourceID: id, revision: revision))
        }
    }

    /// Returns the digest of the inputs of each day: it changes if the digest of any of its metrics does.
    private func digests() async throws -> [CalendarDay: ContentDigest] {
        var parts: [CalendarDay: [UInt8]] = [:]
        for metric in (Self.figures + [.sleep]).sorted() {
            for (day, digest) in try await ports.tracking.trackedDigests(of: metric, days: request.days) {
                parts[day, default: []] += Array(metric.rawValue.utf8) + digest.bytes
            }
        }
        return parts.mapValues { ports.hasher.digest($0) }
    }

    private static func sourceID(_ day: CalendarDay) -> String { "snapshot/\(day)" }

    private static let metric = HealthMetric(rawValue: "activitySnapshot")

    private static var rules: String { (figures + [.sleep]).map(\.rawValue).joined(separator: "\u{1F}") }

    /// The metrics in a snapshot other than sleep.
    private static let figures: [HealthMetric] = [
        .steps, .walkingDistance, .activeEnergy, .exerciseMinutes, .restingHeartRate,
    ]
}
