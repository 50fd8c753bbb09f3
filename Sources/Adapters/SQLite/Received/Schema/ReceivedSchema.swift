/// The schema of a receiving server's database.
enum ReceivedSchema {
    /// `HSRV`; says whose the file is.
    static let applicationID: Int64 = 0x4853_5256

    /// Every migration, in order. One that was released is never edited.
    static let migrations: [Migration] = [.receivedRows, .receivedPages, .hourIDs]

    /// The schema version of this program.
    static let latest = Int64(migrations.count)

    /// The server makes the file and brings it up to date before anything reads it, so another one stands there by now.
    static let advice = SQLiteReader.Advice(
        whereMissing: "put the file back, and start `healthsync serve` again",
        whereOlder: "start `healthsync serve` again; it brings the file up to date")
}
