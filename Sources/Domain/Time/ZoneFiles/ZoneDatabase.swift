/// The time zone database that provides the rules.
public struct ZoneDatabase: Sendable, Hashable {
    /// The folder of the zone files; `nil` for the rules built into Swift's Foundation.
    public var folder: String?
    /// The release of the database, such as `2025b`; `nil` if the folder does not contain it.
    public var version: String?

    /// Creates a database description.
    public init(folder: String?, version: String?) {
        self.folder = folder
        self.version = version
    }
}
