import HealthSyncDomain
import HealthSyncPorts

/// Writes a record's own description as payload, and each raw sample as `id@revision`.
struct PlainEncoder: HealthRecordEncoder, RawSampleEncoder {
    func payload(of progress: RevisedRecord<DailyProgress>) -> [UInt8] { Array("\(progress.record)".utf8) }
    func payload(of session: RevisedRecord<SleepSession>) -> [UInt8] { Array("\(session.record)".utf8) }
    func payload(of snapshot: RevisedRecord<ActivitySnapshot>) -> [UInt8] { Array("\(snapshot.record)".utf8) }

    func payload(
        of samples: RawSamples, kind: RecordKind, unit: String, revisions: [SampleID: SampleRevision]
    ) -> [UInt8] {
        Array(samples.ids.map { "\($0)@\(revisions[$0]?.revision ?? 0)" }.joined(separator: ",").utf8)
    }

    /// A destination with plain payloads.
    static func destination(
        _ address: String, sender: any HealthRecordSender, reader: (any ServerSampleReader)? = nil,
        recordReader: (any ServerRecordReader)? = nil
    ) -> HealthDestination {
        var destination = HealthDestination(
            address: address, encoder: PlainEncoder(), sender: sender, sampleEncoder: PlainEncoder())
        destination.reader = reader
        destination.recordReader = recordReader
        return destination
    }
}
