import Foundation
import HealthSyncDomain
public import HealthSyncPorts

/// Opens files of JSON lines, at addresses such as `ndjson:/home/anna/health.ndjson`.
public struct NDJSONFormat: HealthDestinationFormat {
    /// The form of the addresses.
    public let addressForm = "ndjson:/path/to/file"

    /// Creates a format.
    public init() {}

    /// Returns whether `address` begins with `ndjson:`.
    public func recognizes(_ address: String) -> Bool { address.hasPrefix("ndjson:") }

    /// Opens the destination at the address of `request`. The file is created when the first batch is sent.
    public func destination(for request: DestinationRequest) throws -> HealthDestination {
        let path = request.address.dropFirst("ndjson:".count)
        guard path.hasPrefix("/"), !path.hasSuffix("/") else {
            throw SyncFailure(
                .configuration, subject: request.address, reason: "not the absolute path of a file",
                advice: "use \(addressForm)")
        }
        // `/a/./b` and `/a//b` are `/a/b`: one file must have one queue.
        let plain = URL(fileURLWithPath: String(path)).standardized.path
        return HealthDestination(
            address: "ndjson:" + plain, encoder: NDJSONEncoder(), sender: NDJSONSender(path: plain))
    }
}
