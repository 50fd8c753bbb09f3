/// A value of a JSON document with its location.
struct JSONElement: Sendable {
    /// The content of a value, with the locations of its elements.
    enum Content: Sendable {
        case null
        case bool(Bool)
        case integer(Int64)
        case number(Double)
        case string(String)
        case array([JSONElement])
        /// Members in document order; names may repeat.
        case object([Member])
    }

    /// A name, its location and its value.
    struct Member: Sendable {
        let name: String
        let offset: Int
        let value: JSONElement
    }

    let content: Content
    /// Byte offset from the start of the document.
    let offset: Int

    /// The kind of value for error messages: `text`, `a number`.
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
