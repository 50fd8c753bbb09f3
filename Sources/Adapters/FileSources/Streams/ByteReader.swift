/// A stream of bytes that one thread reads once, from start to end.
protocol ByteReader: AnyObject {
    /// Fills the nonempty `buffer` as far as the stream goes; returns 0 at the end.
    ///
    /// Throws `SyncFailure` if reading must not continue (a failing device, a decompression bomb).
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// The reason why the stream ended early; set once `read` has returned 0.
    var damage: StreamDamage? { get }
}
