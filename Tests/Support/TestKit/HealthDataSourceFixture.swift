public import HealthSyncDomain
public import HealthSyncPorts

/// The files with which `HealthDataSourceContract` tests a file source.
public struct HealthDataSourceFixture: Sendable {
    /// Creates the source for a path.
    public var source: @Sendable (_ path: String) -> any HealthDataSource
    /// A complete, valid file or folder with samples of at least two types.
    public var whole: String
    /// A selection of at least one but not all types of `whole`.
    public var selection: SampleSelection
    /// `whole` with an unreadable part in the middle.
    public var broken: String
    /// `whole`, truncated in its last third, in the middle of a sample.
    public var truncated: String
    /// A file of another format.
    public var foreign: String
    /// A path that does not exist.
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
