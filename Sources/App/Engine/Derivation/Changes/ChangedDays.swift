import HealthSyncDomain
import HealthSyncPorts

/// Finds the days of one metric whose samples, or results of other metrics that it reads, differ from those that they were
/// derived from.
struct ChangedDays: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings
    let handler: any HealthMetricSyncHandler

    struct Found: Sendable {
        /// The digest of each day's current inputs; days without samples have none.
        var current: [CalendarDay: ContentDigest]
        /// The days to be derived, ascending.
        var days: [CalendarDay]
    }

    var window: WindowLoader {
        WindowLoader(pages: ports.pages, clock: settings.clock, types: types, reach: handler.reach)
    }

    /// Returns whether nothing changed since a run that derived all days. A metric that reads results of others is always
    /// compared, because only changed pages end its completeness.
    func isComplete(among parts: CompleteParts?) async throws -> Bool {
        guard handler.inputs.isEmpty else { return false }
        return try await parts?.isComplete(.metric(handler.metric), by: rules) ?? false
    }

    /// Notes that all days were compared.
    func note(in parts: CompleteParts?) {
        if handler.inputs.isEmpty { parts?.note(.metric(handler.metric), by: rules) }
    }

    private var types: [SampleType] { handler.reads.map(\.type) }

    /// The inputs of days apart from pages and zone rules, as text.
    var rules: String {
        let names = settings.originPriority.preferredNames.joined(separator: "\u{1F}")
        let read = types.map(\.rawValue).joined(separator: "\u{1F}")
        return [
            "\(DayDigests.rules)", "\(handler.metric)", "\(handler.version)", "\(handler.reach)", names, read,
        ].joined(separator: "\u{1E}") + settingsText
    }

    /// The values of the handler's settings; empty if it has none.
    private var settingsText: String {
        let values = settings.values(of: handler)
        return handler.settings.map { "\u{1D}\($0.name)=\(values.value($0))" }.joined()
    }

    /// Returns the days among `days` whose digests differ; with `all`, each day that has or had samples.
    func find(in days: DayRange, all: Bool = false) async throws -> Found {
        let digests = DayDigests(
            metric: handler.metric, version: handler.version, clock: settings.clock,
            priority: settings.originPriority, reach: handler.reach, settings: settingsText, hasher: ports.hasher)
        let margin = try await window.marginDays()
        let utcDays = days.widened(before: margin.before, after: margin.after)
        let pageDigests = try await ports.pages.pageDigests(of: types, utcDays: utcDays)
        var current = digests.digests(of: days, pages: pageDigests, margin: margin)
        try await addInputs(to: &current, of: days)
        let tracked = try await ports.tracking.trackedDigests(of: handler.metric, days: days)
        return Found(
            current: current,
            days: days.filter { all ? current[$0] ?? tracked[$0] != nil : current[$0] != tracked[$0] })
    }
}

extension ChangedDays {
    /// Adds, to the digest of each day, the revisions of the results of other metrics on it.
    private func addInputs(to digests: inout [CalendarDay: ContentDigest], of days: DayRange) async throws {
        guard !handler.inputs.isEmpty else { return }
        var parts: [CalendarDay: [String]] = [:]
        for (key, revision) in try await ports.tracking.recordRevisions() {
            guard let metric = key.metric, handler.inputs.contains(metric), days.contains(key.day) else { continue }
            parts[key.day, default: []].append("\(metric)\u{1F}\(key.session)\u{1F}\(revision)")
        }
        let rules = Array("\(handler.metric)\u{1F}\(handler.version)\u{1F}\(settingsText)".utf8)
        for (day, part) in parts {
            let inputs = Array(part.sorted().joined(separator: "\u{1E}").utf8)
            digests[day] = ports.hasher.digest(rules + (digests[day]?.bytes ?? []) + inputs)
        }
    }
}

/// Digests of all samples and rules of a handler's result for a day: the pages it reads, the zone rules, the order of origins and the
/// handler's version. If a digest is unchanged, the day needs no derivation.
private struct DayDigests: Sendable {
    let metric: HealthMetric
    let version: Int
    let clock: DayClock
    let priority: OriginPriority
    let reach: SampleReach
    /// The values of the handler's settings.
    let settings: String
    let hasher: any ContentHasher

    /// Returns the digest of each day with samples in reach.
    func digests(
        of days: DayRange, pages: [CalendarDay: [ContentDigest]], margin: WindowLoader.Margin
    ) -> [CalendarDay: ContentDigest] {
        let rules =
            "\(Self.rules)\u{1F}\(metric)\u{1F}\(version)\u{1F}\(reach)\u{1F}\(priority.preferredNames.joined(separator: "\u{1F}"))"
            + settings
        // Every run compares all days of each changed metric: one look-up a day, one buffer, each start computed once.
        let utcDays = days.widened(before: margin.before, after: margin.after)
        let inputs = utcDays.map { pages[$0].map(Self.sorted) ?? [] }
        var bytes = Array(rules.utf8)
        let rulesCount = bytes.count
        var before = clock.start(of: days.first.advanced(by: -1))
        var start = clock.start(of: days.first)
        var result: [CalendarDay: ContentDigest] = [:]
        for (index, day) in days.enumerated() {
            let end = clock.start(of: day.advanced(by: 1))
            bytes.removeSubrange(rulesCount...)
            for digests in inputs[index...(index + margin.before + margin.after)] {
                for digest in digests { digest.append(to: &bytes) }
            }
            if bytes.count > rulesCount {
                // The zone rules of the day.
                bytes.append(
                    contentsOf: "\(before.milliseconds) \(start.milliseconds) \(end.milliseconds)".utf8)
                result[day] = hasher.digest(bytes)
            }
            (before, start) = (start, end)
        }
        return result
    }

    private static func sorted(_ digests: [ContentDigest]) -> [ContentDigest] {
        digests.count < 2 ? digests : digests.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    }

    /// Raise this when the same pages must give handlers other samples. Since 2, a measurement in several inputs is one
    /// sample; since 3, also if they state it in different units.
    static let rules = 3
}
