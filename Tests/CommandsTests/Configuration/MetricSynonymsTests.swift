import HealthSyncDomain
import HealthSyncMetrics
import HealthSyncPorts
import Testing

@testable import HealthSyncCommands

struct MetricSynonymsTests {
    @Test("Every everyday name means metrics that exist")
    func names() {
        let metrics =
            BuiltInHandlers.all().map(\.metric.rawValue)
            + SampleTypeTable.builtIn().rows.filter { $0.kind != .category }.map(\.type.shortName)
        for (name, meant) in MetricSynonyms.metricsByName {
            #expect(meant.allSatisfy(metrics.contains), "\(name)")
            #expect(name == name.lowercased().filter { !" -_".contains($0) })
        }
    }

    @Test(arguments: [("Blood Pressure", 2), ("SpO2", 1), ("resting-pulse", 1), ("VO2", 1), ("nothing", 1)])
    func spelling(name: String, count: Int) {
        #expect(MetricSynonyms.metrics(for: name).count == count)
        #expect((MetricSynonyms.metrics(for: name) == [name]) == (name == "nothing"))
    }
}
