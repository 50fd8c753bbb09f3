/// Why a text is no JSON document, and where.
struct JSONFault: Error {
    /// Bytes from the start of the document.
    let offset: Int
    let reason: String
    let advice: String
}
