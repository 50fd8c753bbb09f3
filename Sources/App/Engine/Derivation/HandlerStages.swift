package import HealthSyncDomain
package import HealthSyncPorts

/// The order of handlers: each comes after those whose results it reads.
package struct HandlerStages {
    /// The handlers of a stage do not depend on each other.
    package let stages: [[any HealthMetricSyncHandler]]

    /// Orders `handlers`. Results of metrics that none of them derives are read as they are stored.
    ///
    /// - Throws: `SyncFailure` with `.configuration`, which names the metrics, if handlers read each other's results.
    package init(_ handlers: [any HealthMetricSyncHandler]) throws(SyncFailure) {
        var authors: [HealthMetric: HealthMetric] = [:]
        for handler in handlers {
            for metric in [handler.metric] + handler.results.map(\.metric) { authors[metric] = handler.metric }
        }
        var stages: [[any HealthMetricSyncHandler]] = []
        var (left, done) = (handlers, Set<HealthMetric>())
        while !left.isEmpty {
            let isReady = { (handler: any HealthMetricSyncHandler) in
                handler.inputs.allSatisfy { input in authors[input].map(done.contains) ?? true }
            }
            let ready = left.filter(isReady)
            guard !ready.isEmpty else { throw Self.cycle(among: left, authors) }
            left.removeAll(where: isReady)
            stages.append(ready)
            done.formUnion(ready.map(\.metric))
        }
        self.stages = stages
    }

    private static func cycle(
        among handlers: [any HealthMetricSyncHandler], _ authors: [HealthMetric: HealthMetric]
    ) -> SyncFailure {
        let waiting = Dictionary(handlers.map { ($0.metric, $0) }, uniquingKeysWith: { first, _ in first })
        var path: [HealthMetric] = []
        var next = handlers.first?.metric
        // Each handler that is left reads one that is left, so the path returns to one of its metrics.
        while let metric = next, !path.contains(metric) {
            path.append(metric)
            next = waiting[metric]?.inputs.compactMap { authors[$0] }.first { waiting[$0] != nil }
        }
        let cycle = path.drop { $0 != next } + [next].compactMap { $0 }
        return SyncFailure(
            .configuration, subject: cycle.map(\.rawValue).joined(separator: " reads "),
            reason: "these metrics read each other's results",
            advice: "leave out one of them with --metrics, and tell its author")
    }
}

extension HealthMetricSyncHandler {
    /// Returns whether `metric` is one of the results.
    package func derives(_ metric: HealthMetric) -> Bool {
        metric == self.metric || results.contains { $0.metric == metric }
    }
}
