/// How many records of a type one source wrote.
struct TruthRecordCount: Sendable, Encodable {
    let type: String
    let source: String
    /// All of them, duplicates included.
    private(set) var count: Int
    /// Those that repeat another one exactly.
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
