import HealthSyncDomain
import HealthSyncEngine
import HealthSyncOutboxHTTP
import HealthSyncPorts

/// The formats of destinations: those of plug-ins, which come first, and the built-in ones.
struct DestinationFormats: Sendable {
    /// All formats; the first that recognizes an address opens it.
    let all: [any HealthDestinationFormat]

    /// Creates the list of `senders` followed by the built-in formats.
    init(_ senders: [any HealthDestinationFormat]) { all = senders + [HTTPDestinationFormat()] }

    /// Opens the destination at the address of `request`. A call of a plug-in's sender returns before the lease of its
    /// batch expires; the built-in sender keeps to its timeout itself.
    ///
    /// - Throws: `SyncFailure` with `.configuration` if no format recognizes the address.
    func destination(for request: DestinationRequest) throws -> HealthDestination {
        guard let format = all.first(where: { $0.recognizes(request.address) }) else {
            throw SyncFailure(
                .configuration, subject: request.address, reason: "no sender accepts this address",
                advice: "use \(all.map(\.addressForm).joined(separator: " or "))")
        }
        var destination = try format.destination(for: request)
        if !(format is HTTPDestinationFormat) {
            destination.sender = TimeLimitedSender(
                destination.sender, milliseconds: 2 * Int64(request.timeoutMilliseconds), time: request.time)
        }
        return destination
    }
}
