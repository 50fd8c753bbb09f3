import HealthSyncCommands
import HealthSyncPorts
import HealthSyncTestKit

extension ReceivingFactory {
    /// Serves nothing, and has tokens in memory whose secrets are kept as they are.
    static var empty: ReceivingFactory {
        let tokens = InMemoryAccessTokenStore()
        return ReceivingFactory(
            serve: { $0.ready("http://\($0.host):\($0.port)") }, tokens: { _ in tokens }, hasher: PlainHasher())
    }
}

private struct PlainHasher: SecretHasher {
    func sha256(_ bytes: [UInt8]) -> [UInt8] { bytes }
    func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool { left == right }
}
