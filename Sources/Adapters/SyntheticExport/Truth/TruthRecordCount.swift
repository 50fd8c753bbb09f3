/// The number of records of a type from one source.
struct TruthRecordCount: Sendable, Encodable {
    let type: String
    let source: String
    /// All records, including duplicates.
    private(set) var count: Int
    /// The records that exactly repeat another.
    private(set) var duplicates: Int

    init(type: String, source: String, count: Int, duplicates: Int) {
        self.type = type
        self.source = source
        self.count = count
        self.duplicates = duplicates
    }

    mutating func add(isTwice: Bool) {
        count += isTwice ? 2 : 1
        duplicates += isTwice ? 1 : 0
    }
}
