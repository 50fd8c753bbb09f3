import HealthSyncDomain
package import HealthSyncPorts

/// Opens servers of the receiving API, at `https` and `http` addresses.
package struct HTTPDestinationFormat: HealthDestinationFormat {
    package let addressForm = "https://host"

    /// Creates the format.
    package init() {}

    package func recognizes(_ address: String) -> Bool {
        let lowercased = address.asciiLowercased
        return lowercased.hasBytePrefix("https://") || lowercased.hasBytePrefix("http://")
    }

    package func destination(for request: DestinationRequest) throws -> HealthDestination {
        let address = try ServerAddress(request.address)
        var settings = try HTTPOutboxSettings(address: address, token: request.token, profile: request.userProfile)
        settings.slots = request.batchesInFlight
        settings.totalTimeoutMilliseconds = request.timeoutMilliseconds
        return Self.destination(settings, time: request.time)
    }

    /// Returns the destination of all requests with `settings`.
    static func destination(_ settings: HTTPOutboxSettings, time: any TimeSource) -> HealthDestination {
        let encoder = HTTPRecordEncoder()
        let sender = HTTPOutboxSender(settings, time: time)
        var destination = HealthDestination(
            address: settings.address.text, encoder: encoder, sender: sender, sampleEncoder: encoder, eraser: sender)
        destination.reader = HTTPSampleReader(settings, time: time)
        destination.recordReader = HTTPRecordReader(settings, time: time)
        return destination
    }
}
