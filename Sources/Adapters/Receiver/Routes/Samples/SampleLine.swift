package import HealthSyncDomain

/// The JSON of a stored sample.
enum SampleLine {
    /// Writes one object. `type`, `value` and `unit` are only written for types other than steps, and the revision only
    /// if it is not 0 and `showsRevision`.
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

/// A line of `steps.jsonl`: the members of `POST /steps`, and no others.
package enum StepsLine {
    /// Returns the line, including its newline.
    @Sendable package static func bytes(_ sample: ReceivedSample, origin: ReceivedOrigin?) -> [UInt8] {
        var writer = JSONWriter()
        SampleLine.write(sample, origin: origin, type: "steps", to: &writer)
        writer.endLine()
        return writer.bytes
    }
}
