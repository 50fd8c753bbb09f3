/// A record that was refused alone, while others of its request were stored.
struct RejectedRecord: Error {
    /// Its id as the client wrote it; empty where it has none.
    var id: String
    /// Which member is wrong, and how.
    var reason: String
}
