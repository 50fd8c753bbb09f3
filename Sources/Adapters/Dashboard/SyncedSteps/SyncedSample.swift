import HealthSyncDomain

/// A received sample with the name of its device.
struct SyncedSample {
    let sample: ReceivedSample
    /// The name of the device, or the identifier of the app if the device is unknown.
    let device: String
    let app: String

    init(_ sample: ReceivedSample, origin: ReceivedOrigin?) {
        self.sample = sample
        app = origin?.bundleID ?? ""
        device = origin?.deviceName ?? (app.isEmpty ? "not stated" : app)
    }
}
