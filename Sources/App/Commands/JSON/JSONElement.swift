/// A value of a JSON document together with where it stands.
struct JSONElement: Sendable {
    /// What a value is, its elements with their places.
    enum Content: Sendable {
        case null
        case bool(Bool)
        case integer(Int64)
        case number(Double)
        case string(String)
        case array([JSONElement])
        /// In the order of the document; a name may stand twice.
        case object([Member])
    }

    /// A name, where it stands, and its value.
    struct Member: Sendable {
        let name: String
        let offset: Int
        let value: JSONElement
    }

    let content: Content
    /// Bytes from the start of the document.
    let offset: Int

    /// What it is, for a person: `text`, `a number`.
    var kind: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
