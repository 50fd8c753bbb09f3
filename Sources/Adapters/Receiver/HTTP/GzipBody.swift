import CHealthSyncISAL

/// Decompression of gzip bodies.
enum GzipBody {
    /// Why a body cannot be decompressed.
    enum Failure: Error {
        /// The body is not exactly one complete gzip member.
        case invalid
        /// The decompressed content exceeds the limit.
        case tooLarge
    }

    /// Returns the content of one gzip member, at most `limit` bytes. Memory grows with the decompressed content, not
    /// with the size that the member states.
    static func decompressed(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        guard let inputCount = UInt32(exactly: bytes.count), inputCount > 0 else { throw .invalid }
        // Allocated on the heap because the state contains the 64 KiB window.
        let state = UnsafeMutablePointer<inflate_state>.allocate(capacity: 1)
        defer { unsafe state.deallocate() }
        unsafe isal_inflate_init(state)
        unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP)
        let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
        defer { unsafe piece.deallocate() }
        var content: [UInt8] = []
        let outcome: Result<Void, Failure> = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe state.pointee.avail_in = inputCount
            while true {
                unsafe state.pointee.next_out = piece.baseAddress
                unsafe state.pointee.avail_out = UInt32(piece.count)
                guard unsafe isal_inflate(state) == ISAL_DECOMP_OK else { return .failure(.invalid) }
                let count = unsafe piece.count - Int(state.pointee.avail_out)
                guard content.count + count <= limit else { return .failure(.tooLarge) }
                unsafe content.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<count]))
                if unsafe state.pointee.block_state == ISAL_BLOCK_FINISH {
                    return unsafe state.pointee.avail_in == 0 ? .success(()) : .failure(.invalid)
                }
                // No progress and no input left: the member is truncated.
                if unsafe count == 0 && state.pointee.avail_in == 0 { return .failure(.invalid) }
            }
        }
        try outcome.get()
        return content
    }
}
