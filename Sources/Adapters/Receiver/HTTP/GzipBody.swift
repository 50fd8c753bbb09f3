import CHealthSyncISAL
import HealthSyncDomain

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
        let inflation = GzipInflation(limit: limit)
        try inflation.append(bytes[...])
        return try inflation.finish()
    }
}

/// The decompression of one gzip member that arrives in pieces. Used by one thread at a time.
@safe
final class GzipInflation {
    // Allocated on the heap because the state contains the 64 KiB window.
    private let state = UnsafeMutablePointer<inflate_state>.allocate(capacity: 1)
    private let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
    private let limit: Int
    private var isFinished = false
    /// What was decompressed so far.
    private(set) var content: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
        unsafe isal_inflate_init(state)
        unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP)
    }

    deinit {
        unsafe state.deallocate()
        unsafe piece.deallocate()
    }

    /// Reserves memory for content of `count` bytes.
    func reserve(_ count: Int) { content.reserveCapacity(min(count, limit)) }

    /// Decompresses further bytes of the member. After an error, `content` is what precedes it.
    func append(_ bytes: ArraySlice<UInt8>) throws(GzipBody.Failure) {
        guard !bytes.isEmpty else { return }
        guard let inputCount = UInt32(exactly: bytes.count), !isFinished else { throw .invalid }
        let outcome: Result<Void, GzipBody.Failure> = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe state.pointee.avail_in = inputCount
            defer { unsafe state.pointee.next_in = nil }
            return inflate()
        }
        try outcome.get()
    }

    private func inflate() -> Result<Void, GzipBody.Failure> {
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
    func finish() throws(GzipBody.Failure) -> [UInt8] {
        guard isFinished else { throw .invalid }
        return content
    }
}

/// The coding of a body, as the header `Content-Encoding` states it (RFC 9110, section 8.4).
enum ContentCoding: Sendable {
    case identity, gzip, unknown

    /// - Parameter header: the value of the header; `nil` if it is missing.
    init(_ header: String?) {
        guard let header, !header.isEmpty else {
            self = .identity
            return
        }
        if header.equalsIgnoringASCIICase("identity") {
            self = .identity
        } else if ["gzip", "x-gzip"].contains(where: header.equalsIgnoringASCIICase) {
            self = .gzip
        } else {
            self = .unknown
        }
    }
}
