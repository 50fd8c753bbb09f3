import HealthSyncCommands
import HealthSyncPorts
import HealthSyncTestKit

extension ReceivingFactory {
    /// A factory whose server handles no requests and whose tokens are in memory, with unhashed secrets.
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
