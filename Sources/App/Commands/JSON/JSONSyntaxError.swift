/// A syntax error in a JSON document.
struct JSONSyntaxError: Error {
    /// Byte offset from the start of the document.
    let offset: Int
    let reason: String
    let advice: String
}
