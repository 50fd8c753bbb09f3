public import HealthSyncDomain
public import HealthSyncPorts

/// The files with which `HealthDataSourceContract` and `HealthSourceFormatContract` test a source.
public struct HealthDataSourceFixture: Sendable {
    /// Returns the source at a path, for a user whose days follow UTC.
    public var source: @Sendable (_ path: String) -> any HealthDataSource
    /// A complete, undamaged file or folder with samples of at least two types, or of one (see `hasOneType`).
    public var whole: String
    /// A selection of at least one type of `whole`, but not all of them.
    public var selection: SampleSelection
    /// The samples of `selection` in `whole`, in any order, with values in the unit of their type: written by hand or
    /// calculated apart from the source.
    public var expected: [SourceSample]
    /// The selected types whose times have no UTC offset in the file, so that they follow the user's clock.
    public var localTypes: Set<SampleType> = []
    /// Whether the format has a single type, so that nothing remains that is not selected.
    public var hasOneType = false
    /// `whole` with a selected sample in the middle that cannot be read.
    public var broken: String
    /// `whole` truncated in its last third, in the middle of a sample: at least half of `expected` precedes the end.
    public var truncated: String
    /// A file of another format.
    public var foreign: String
    /// A path at which nothing exists.
    public var missing: String

    /// Creates a fixture with these files.
    public init(
        whole: String, selection: SampleSelection, expected: [SourceSample], broken: String, truncated: String,
        foreign: String, missing: String, source: @escaping @Sendable (_ path: String) -> any HealthDataSource
    ) {
        self.whole = whole
        self.selection = selection
        self.expected = expected
        self.broken = broken
        self.truncated = truncated
        self.foreign = foreign
        self.missing = missing
        self.source = source
    }
}
