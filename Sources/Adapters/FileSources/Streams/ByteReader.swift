/// A stream of bytes that is read once, from front to back, by one thread.
protocol ByteReader: AnyObject {
    /// Fills `buffer`, which is not empty, as far as the stream goes; 0 means that nothing more comes.
    ///
    /// Throws `SyncFailure` when going on would be wrong (a device that fails, an archive that is a bomb).
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// Why the stream ended before its end; set once `read` has returned 0.
    var damage: StreamDamage? { get }
}
