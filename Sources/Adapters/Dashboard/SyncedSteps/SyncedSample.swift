import HealthSyncDomain

/// A received sample with the name of its device.
struct SyncedSample {
    let sample: ReceivedSample
    /// The device's name or, where none was stated, the app's identifier.
    let device: String
    let app: String

    init(_ sample: ReceivedSample, origin: ReceivedOrigin?) {
        self.sample = sample
        app = origin?.bundleID ?? ""
        device = origin?.deviceName ?? (app.isEmpty ? "not stated" : app)
    }
}
