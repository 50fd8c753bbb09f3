import CHealthSyncISAL

/// Compression by gzip (RFC 1952).
package enum Gzip {
    /// Why bytes cannot be decompressed.
    package enum Failure: Error {
        /// They are not exactly one complete gzip member.
        case invalid
        /// The decompressed content exceeds the limit.
        case tooLarge
    }

    /// Returns the content of one gzip member, at most `limit` bytes. Memory grows with the decompressed content, not
    /// with the size that the member states.
    package static func decompressed(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        let inflation = GzipInflation(limit: limit)
        try inflation.append(bytes[...])
        return try inflation.finish()
    }

    /// Returns `bytes` as one gzip member; `nil` if that is not smaller.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
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

/// The decompression of one gzip member that arrives in pieces. Used by one thread at a time.
@safe
package final class GzipInflation {
    // Allocated on the heap because the state contains the 64 KiB window.
    private let state = UnsafeMutablePointer<inflate_state>.allocate(capacity: 1)
    private let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
    private let limit: Int
    /// The first bytes of the member while its header is incomplete; `nil` afterwards. ISA-L would forget which fields the
    /// header has where a piece ends inside it.
    private var header: [UInt8]? = []
    private var isFinished = false

    /// The longest header in bytes. Programs write at most the name of a file.
    package static let longestHeader = 64 << 10
    /// What was decompressed so far, at most `limit` bytes.
    package private(set) var content: [UInt8] = []

    package init(limit: Int) {
        self.limit = limit
        unsafe isal_inflate_init(state)
    }

    deinit {
        unsafe state.deallocate()
        unsafe piece.deallocate()
    }

    /// Reserves memory for content of `count` bytes.
    package func reserve(_ count: Int) { content.reserveCapacity(min(count, limit)) }

    /// Decompresses further bytes of the member. After an error, `content` is what precedes it.
    package func append(_ bytes: ArraySlice<UInt8>) throws(Gzip.Failure) {
        guard !bytes.isEmpty else { return }
        guard !isFinished else { throw .invalid }
        guard let start = header.map({ $0 + bytes }) else { return try inflate(bytes) }
        if let length = try headerLength(start) {
            guard length <= Self.longestHeader else { throw .invalid }
            header = nil
            if length < start.count { try inflate(start[length...]) }
        } else {
            guard start.count <= Self.longestHeader else { throw .invalid }
            header = start
        }
    }

    /// Reads the header at the start of `bytes`; returns its length, or `nil` if it is incomplete.
    private func headerLength(_ bytes: [UInt8]) throws(Gzip.Failure) -> Int? {
        guard let count = UInt32(exactly: bytes.count) else { throw .invalid }
        unsafe isal_inflate_init(state)
        unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP_NO_HDR_VER)
        let code = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe state.pointee.avail_in = count
            defer { unsafe state.pointee.next_in = nil }
            var fields = unsafe isal_gzip_header()
            unsafe isal_gzip_header_init(&fields)
            return unsafe isal_read_gzip_header(state, &fields)
        }
        if code == ISAL_END_INPUT { return nil }
        guard code == ISAL_DECOMP_OK else { throw .invalid }
        return unsafe bytes.count - Int(state.pointee.avail_in)
    }

    private func inflate(_ bytes: ArraySlice<UInt8>) throws(Gzip.Failure) {
        guard let count = UInt32(exactly: bytes.count) else { throw .invalid }
        let outcome: Result<Void, Gzip.Failure> = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe state.pointee.avail_in = count
            defer { unsafe state.pointee.next_in = nil }
            return inflate()
        }
        try outcome.get()
    }

    private func inflate() -> Result<Void, Gzip.Failure> {
        while true {
            unsafe state.pointee.next_out = piece.baseAddress
            unsafe state.pointee.avail_out = UInt32(piece.count)
            guard unsafe isal_inflate(state) == ISAL_DECOMP_OK else { return .failure(.invalid) }
            let count = unsafe piece.count - Int(state.pointee.avail_out)
            let room = limit - content.count
            unsafe content.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<min(count, room)]))
            guard count <= room else { return .failure(.tooLarge) }
            if unsafe state.pointee.block_state == ISAL_BLOCK_FINISH {
                isFinished = true
                return unsafe state.pointee.avail_in == 0 ? .success(()) : .failure(.invalid)
            }
            if unsafe count < piece.count && state.pointee.avail_in == 0 { return .success(()) }
            // No progress although there is input.
            if count == 0 { return .failure(.invalid) }
        }
    }

    /// Returns the content. Throws `.invalid` if the member is incomplete.
    package func finish() throws(Gzip.Failure) -> [UInt8] {
        guard isFinished else { throw .invalid }
        return content
    }
}
