import HealthSyncDomain

/// A received sample with the name of its device.
struct SyncedSample {
    let sample: ReceivedSample
    /// Name and hardware of the device, or the identifier of the app if the device is unknown.
    let device: String
    /// The identifier of the app, with shortened UUIDs.
    let app: String

    init(_ sample: ReceivedSample, origin: ReceivedOrigin?) {
        self.sample = sample
        app = UUIDText.folded(origin?.bundleID ?? "")
        device = origin?.deviceName.map { DeviceText.short($0) } ?? (app.isEmpty ? "not stated" : app)
    }
}
