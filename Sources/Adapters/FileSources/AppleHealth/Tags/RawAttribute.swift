/// An attribute as it stands in the file.
struct RawAttribute {
    /// The name; with spaces in it where the file has them.
    var name: ByteRange
    /// The value between its quotes.
    var value: ByteRange
    /// Index behind the closing quote.
    var next: Int
    /// Liberties taken to read it.
    var faults: AttributeFaults
}
