package import HealthSyncDomain
import HealthSyncPorts

/// Writes the JSON of the receiving API: names in ascending order, one object per record, several joined by commas.
///
/// The user profile is not in the body: it is sent with every request as the field `Healthsync-Profile`.
package struct HTTPRecordEncoder: HealthRecordEncoder, RawSampleEncoder {
    /// Creates the encoder.
    package init() {}

    package func payload(of progress: RevisedRecord<DailyProgress>) -> [UInt8] {
        ProgressEncoding(progress.record).payload(revision: progress.revision)
    }

    package func payload(of session: RevisedRecord<SleepSession>) -> [UInt8] { SleepEncoding.payload(session) }

    package func payload(of snapshot: RevisedRecord<ActivitySnapshot>) -> [UInt8] { SnapshotEncoding.payload(snapshot) }

    package func payload(
        of samples: RawSamples, kind: RecordKind, unit: String, revisions: [SampleID: SampleRevision]
    ) -> [UInt8] {
        SampleEncoding(kind: kind, unit: unit, revisions: revisions).payload(of: samples)
    }
}
