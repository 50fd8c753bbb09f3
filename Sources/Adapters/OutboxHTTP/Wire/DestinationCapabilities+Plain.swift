package import HealthSyncDomain

extension DestinationCapabilities {
    /// A plain server: it accepts raw steps and single sessions, and nothing else.
    package static let plain: DestinationCapabilities = {
        var capabilities = DestinationCapabilities(batchLimits: [.steps: 2_000, .sleep: 1], acceptsDeletions: false)
        capabilities.returnsVerdicts = false
        return capabilities
    }()
}
