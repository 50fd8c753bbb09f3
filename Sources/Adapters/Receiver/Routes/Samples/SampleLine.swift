import HealthSyncDomain

/// A stored sample as the API writes it.
enum SampleLine {
    /// Writes one object; `type` is named for what is not steps, and, where it is asked for, a revision that is not 0.
    static func write(
        _ sample: ReceivedSample, origin: ReceivedOrigin?, type: String, showsRevision: Bool = false,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.name("uuid")
        writer.string(sample.idText)
        if type != "steps" {
            writer.name("type")
            writer.string(type)
        }
        writer.name("startDate")
        writer.time(sample.start)
        writer.name("endDate")
        writer.time(sample.end)
        writer.name(type == "steps" ? "count" : "value")
        writer.number(sample.value)
        if type != "steps" {
            writer.name("unit")
            writer.string(origin?.unit ?? "")
        }
        writer.name("sourceBundleId")
        writer.string(origin?.bundleID ?? "")
        if let device = origin?.deviceName {
            writer.name("sourceDeviceName")
            writer.string(device)
        }
        if showsRevision, sample.revision != 0 {
            writer.name("revision")
            writer.integer(sample.revision)
        }
        writer.endObject()
    }
}
