public import HealthSyncDomain
public import HealthSyncPorts

/// The files that a source is put to the test with. A file source brings one of these to `HealthDataSourceContract`.
public struct HealthDataSourceFixture: Sendable {
    /// Makes the source for what lies at a path.
    public var source: @Sendable (_ path: String) -> any HealthDataSource
    /// A whole, faultless file or folder with samples of at least two types.
    public var whole: String
    /// What of `whole` is selected: at least one of its types and not all of them.
    public var selection: SampleSelection
    /// `whole` with a stretch in its middle that cannot be read.
    public var broken: String
    /// `whole`, cut off within its last third, in the middle of a sample.
    public var truncated: String
    /// A file of some other format, of which nothing can be read.
    public var foreign: String
    /// A path at which there is nothing.
    public var missing: String

    /// A fixture of these files.
    public init(
        whole: String, selection: SampleSelection, broken: String, truncated: String, foreign: String,
        missing: String, source: @escaping @Sendable (_ path: String) -> any HealthDataSource
    ) {
        self.whole = whole
        self.selection = selection
        self.broken = broken
        self.truncated = truncated
        self.foreign = foreign
        self.missing = missing
        self.source = source
    }
}
