/// The schema of a receiving server's database.
enum ReceivedSchema {
    /// `HSRV`; says whose the file is.
    static let applicationID: Int64 = 0x4853_5256

    /// Every migration, in order. One that was released is never edited.
    static let migrations: [Migration] = [.receivedRows, .receivedPages, .hourIDs]

    /// The schema version of this program.
    static let latest = Int64(migrations.count)
}
