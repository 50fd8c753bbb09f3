import CHealthSyncISAL

/// Compression of request bodies.
enum Gzip {
    /// Returns `bytes` as one gzip member; `nil` if that is not smaller.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let inputCount = UInt32(exactly: bytes.count), bytes.count > headerAndTrailer else { return nil }
        // The state contains the whole window and is too large for the stack.
        let stream = UnsafeMutablePointer<isal_zstream>.allocate(capacity: 1)
        defer { unsafe stream.deallocate() }
        let levelBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: levelBufferBytes)
        defer { unsafe levelBuffer.deallocate() }
        unsafe isal_deflate_stateless_init(stream)
        unsafe stream.pointee.gzip_flag = UInt16(IGZIP_GZIP)
        unsafe stream.pointee.level = 1
        unsafe stream.pointee.level_buf = levelBuffer
        unsafe stream.pointee.level_buf_size = UInt32(levelBufferBytes)
        unsafe stream.pointee.end_of_stream = 1
        unsafe stream.pointee.avail_in = inputCount
        unsafe stream.pointee.avail_out = inputCount
        return unsafe bytes.withUnsafeBufferPointer { input in
            var failed = true
            let output = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.next_out = output.baseAddress
                failed = unsafe isal_deflate_stateless(stream) != COMP_OK
                unsafe count = failed ? 0 : Int(stream.pointee.total_out)
            }
            return failed ? nil : output
        }
    }

    private static let headerAndTrailer = 18
    /// `ISAL_DEF_LVL1_LARGE`, a macro that Swift does not import.
    private static let levelBufferBytes = 4 * 1024 + 2 * 8 * 1024 + 4 * 64 * 1024
}
