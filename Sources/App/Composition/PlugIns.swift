import HealthSyncPorts

/// The adapters that the author of a program adds to the built-in ones.
struct PlugIns: Sendable {
    /// Handlers of metrics; a handler with the metric of a built-in one replaces it.
    var handlers: [any HealthMetricSyncHandler] = []
    /// Formats of sources, which are asked before the built-in ones.
    var sources: [any HealthSourceFormat] = []
    /// Formats of destinations, which are asked before the built-in ones.
    var senders: [any HealthDestinationFormat] = []
    /// Decoders of apps that deliver to the inbox, which are asked before the built-in ones.
    var decoders: [any InboxDecoder] = []
}
