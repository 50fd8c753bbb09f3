import HealthSyncDomain
import HealthSyncPorts

/// Pairs a phone and shows once what to fill in in its app.
struct PairDevice: PageAction {
    static let address = "\(DevicesPage.address)/pair"
    let devices: DeviceSources

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: DevicesPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        guard let name = UserName(request.fields("name").first ?? "") else {
            throw SyncFailure(
                .usage, subject: "name", reason: "not a valid name",
                advice: "use 1 to 64 characters out of a-z, 0-9, dot, hyphen and underscore")
        }
        guard let address = InboxAddress(request.fields("address").first ?? "") else {
            throw SyncFailure(.usage, subject: "address", reason: "not a valid address", advice: InboxAddress.advice)
        }
        let app = try app(request.fields("app").first)
        guard let device = try await devices.actions.pair(name, app: app, address: address) else {
            throw SyncFailure(
                .usage, subject: "name", reason: "a device called \(name.text) is paired",
                advice: "choose another name, or revoke that device first")
        }
        return .page(
            name: "\(name.text) is paired", NewDevice(device: device, app: app, qrCodes: devices.qrCodes).content)
    }

    private func app(_ text: String?) throws -> PhoneApp? {
        if text == PairingForm.otherApp { return nil }
        guard let app = text.flatMap({ PhoneApp(rawValue: $0) }) else {
            throw SyncFailure(.usage, subject: "app", reason: "not a known app", advice: "choose one from the list")
        }
        return app
    }
}
