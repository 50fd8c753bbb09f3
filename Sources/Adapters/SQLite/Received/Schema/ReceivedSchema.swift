/// The schema of a receiving server's database.
enum ReceivedSchema {
    /// The application id `HSRV` of the file.
    static let applicationID: Int64 = 0x4853_5256

    /// Every migration, in order. A released migration is never edited.
    static let migrations: [Migration] = [.receivedRows, .receivedPages, .hourIDs, .receivedSums]

    /// The schema version of this program.
    static let latest = Int64(migrations.count)

    /// The remedies for readers: the server creates and migrates the file before anything reads it, so the file was
    /// replaced meanwhile.
    static let advice = SQLiteReader.Advice(
        whereMissing: "restore the file and restart `healthsync serve`",
        whereOlder: "restart `healthsync serve`; it migrates the file")
}
