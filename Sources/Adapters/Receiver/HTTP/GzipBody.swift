import CHealthSyncISAL

/// Decompression of bodies.
enum GzipBody {
    /// Why a body could not be decompressed.
    enum Failure: Error {
        /// Not one whole gzip member and nothing else.
        case invalid
        /// More than the limit comes out of it.
        case tooLarge
    }

    /// The content of one gzip member, at most `limit` bytes; memory is taken as content comes out.
    static func decompressed(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        guard let inputCount = UInt32(exactly: bytes.count), inputCount > 0 else { throw .invalid }
        // Too large for the stack: the state holds the whole window.
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
                // No end, and neither input left nor output made: cut off.
                if unsafe count == 0 && state.pointee.avail_in == 0 { return .failure(.invalid) }
            }
        }
        try outcome.get()
        return content
    }
}
