/// The part of a record before its dates: the same for all records of one type, device and day.
struct RecordHead: Sendable {
    let recorder: Recorder
    let sourceName: String
    let bytes: [UInt8]

    /// Creates the head of records of `type` from a watch or phone.
    init(_ type: String, unit: String?, recorder: Recorder, device: Device, seed: UInt64) {
        self.init(
            type, unit: unit, recorder: recorder, sourceName: device.sourceName, version: device.software,
            device: device.description(for: type, seed: seed))
    }

    /// Creates the head of records of `type` from an app, with or without a device description.
    init(
        _ type: String, unit: String?, recorder: Recorder, sourceName: String, version: String, device: String? = nil
    ) {
        self.recorder = recorder
        self.sourceName = sourceName
        let escaped = sourceName.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
        bytes = Array(
            (" <Record type=\"\(type)\" sourceName=\"\(escaped)\" sourceVersion=\"\(version)\""
                + (device.map { " device=\"\($0)\"" } ?? "") + (unit.map { " unit=\"\($0)\"" } ?? "")
                + " creationDate=\"").utf8)
    }
}
