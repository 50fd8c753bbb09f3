/// An attribute as written in the file.
struct RawAttribute {
    /// The name, including spaces if the file contains them.
    var name: ByteRange
    /// The value between its quotes.
    var value: ByteRange
    /// The index after the closing quote.
    var next: Int
    /// The tolerated faults.
    var faults: AttributeFaults
}
