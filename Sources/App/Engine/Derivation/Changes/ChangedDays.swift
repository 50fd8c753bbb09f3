import HealthSyncDomain
import HealthSyncPorts

/// Finds the days of one metric whose inputs differ from those that they were derived from.
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

    private var types: [SampleType] { handler.reads.map(\.type) }

    /// The inputs of days apart from pages and zone rules, as text.
    var rules: String {
        let names = settings.originPriority.preferredNames.joined(separator: "\u{1F}")
        let read = types.map(\.rawValue).joined(separator: "\u{1F}")
        return [
            "\(DayDigests.rules)", "\(handler.metric)", "\(handler.version)", "\(handler.reach)", names, read,
        ].joined(separator: "\u{1E}")
    }

    /// Returns the days among `days` whose digests differ; with `all`, each day that has or had samples.
    func find(in days: DayRange, all: Bool = false) async throws -> Found {
        let digests = DayDigests(
            metric: handler.metric, version: handler.version, clock: settings.clock,
            priority: settings.originPriority, reach: handler.reach, hasher: ports.hasher)
        let margin = try await window.marginDays()
        let utcDays = days.widened(before: margin.before, after: margin.after)
        let pageDigests = try await ports.pages.pageDigests(of: types, utcDays: utcDays)
        let current = digests.digests(of: days, pages: pageDigests, margin: margin)
        let tracked = try await ports.tracking.trackedDigests(of: handler.metric, days: days)
        return Found(
            current: current,
            days: days.filter { all ? current[$0] ?? tracked[$0] != nil : current[$0] != tracked[$0] })
    }
}
