/// What a request may hold.
enum Capabilities {
    static let stepsBatch = 5_000
    static let sleepBatch = 100
    static let progressBatch = 2_000
}
