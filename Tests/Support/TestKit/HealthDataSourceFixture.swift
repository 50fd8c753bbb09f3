public import HealthSyncDomain
public import HealthSyncPorts

/// The files with which `HealthDataSourceContract` tests a source.
public struct HealthDataSourceFixture: Sendable {
    /// Returns the source at a path.
    public var source: @Sendable (_ path: String) -> any HealthDataSource
    /// A complete, undamaged file or folder with samples of at least two types.
    public var whole: String
    /// A selection of at least one type of `whole`, but not all of them.
    public var selection: SampleSelection
    /// `whole` with a selected sample in the middle that cannot be read.
    public var broken: String
    /// `whole` truncated in its last third, in the middle of a sample.
    public var truncated: String
    /// A file of another format.
    public var foreign: String
    /// A path at which nothing exists.
    public var missing: String

    /// Creates a fixture with these files.
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
