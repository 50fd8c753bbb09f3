import Testing

/// A case of the manifest that `apple_faults.py` writes; its documentation describes each member.
struct FaultCase: Decodable, CustomTestStringConvertible {
    struct Stretch: Decodable {
        let offset: Int64
        let length: Int64
    }

    struct Record: Decodable {
        struct Aggregate: Decodable {
            let min: String
            let max: String
            let average: String
            let recordCount: String
        }

        let type: String
        let sourceName: String
        let device: String
        let start: Int64
        let end: Int64
        let value: String?
        let unit: String?
        let aggregate: Aggregate?
    }

    let file: String
    let error: String?
    let incomplete: Bool
    let read: Int
    let used: Int
    let usedAtLeast: Int
    let refused: [String: Int]
    let tolerated: [String: Int]
    let skipped: [Stretch]
    let loose: [String]
    let records: [Record]
    let certain: Bool

    var testDescription: String { file }
}
