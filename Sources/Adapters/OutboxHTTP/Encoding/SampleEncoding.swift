import HealthSyncDomain

/// Raw samples, for `POST /steps` and `POST /api/v1/samples/{type}`.
struct SampleEncoding {
    let kind: RecordKind
    let unit: String
    let revisions: [SampleID: SampleRevision]

    /// Returns the samples, joined by commas.
    func payload(of samples: RawSamples) -> [UInt8] {
        var writer = JSONBytes(reserving: 280 * samples.count)
        let origins = samples.origins.map(fragment)
        let tail = kind == .steps ? [] : fragment(ofUnit: unit)
        for row in 0..<samples.count {
            writer.raw(row == 0 ? "{" : ",{")
            let start = samples.starts[row]
            if kind == .steps {
                writer.raw("\"count\":")
                writer.number(LayeringRule.sentCount(samples.values[row]))
                writer.raw(",")
            }
            writer.raw("\"endDate\":\"")
            writer.time(Instant(milliseconds: start + samples.durations[row]))
            if !revisions.isEmpty, let revision = revisions[samples.ids[row]]?.revision {
                writer.raw("\",\"revision\":")
                writer.number(Int64(revision))
                writer.raw(",\"sourceBundleId\":")
            } else {
                writer.raw("\",\"sourceBundleId\":")
            }
            writer.raw(origins[Int(samples.originIndices[row])])
            writer.time(Instant(milliseconds: start))
            writer.raw("\"")
            writer.raw(tail)
            writer.raw(",\"uuid\":\"")
            writer.id(samples.ids[row])
            if kind == .steps {
                writer.raw("\"}")
            } else {
                writer.raw("\",\"value\":")
                writer.number(samples.values[row])
                writer.raw("}")
            }
        }
        return writer.bytes
    }

    /// Returns the text from the value of `sourceBundleId` to the beginning of the value of `startDate`. An export
    /// contains no bundle ids: `sourceBundleId` is the source's name as HealthKit shows it, `sourceDeviceName` the device's.
    private func fragment(of origin: SampleOrigin) -> [UInt8] {
        var writer = JSONBytes(reserving: 256)
        writer.string(origin.sourceName)
        if !origin.device.isEmpty {
            writer.raw(",\"sourceDeviceName\":")
            writer.string(origin.device)
        }
        writer.raw(",\"startDate\":\"")
        return writer.bytes
    }

    private func fragment(ofUnit unit: String) -> [UInt8] {
        var writer = JSONBytes(reserving: 32)
        writer.raw(",\"unit\":")
        writer.string(unit)
        return writer.bytes
    }
}
