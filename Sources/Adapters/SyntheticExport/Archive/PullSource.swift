import CHealthSyncZip

/// A stream that libzip reads: each read requests more from `next`, on the thread that closes the archive.
final class PullSource {
    private let next: () throws -> [UInt8]?
    private var piece: [UInt8] = []
    private var position = 0
    /// The error that `next` threw.
    private(set) var failure: (any Error)?

    init(next: @escaping () throws -> [UInt8]?) { self.next = next }

    /// Creates a libzip source for this stream. The caller keeps the stream alive until the archive is closed.
    func attach(to archive: OpaquePointer) -> OpaquePointer? {
        unsafe zip_source_function(archive, pullSourceCallback, Unmanaged.passUnretained(self).toOpaque())
    }

    fileprivate func read(into target: UnsafeMutableRawBufferPointer) -> Int64 {
        do {
            if position == piece.count {
                guard let more = try next() else { return 0 }
                piece = more
                position = 0
            }
        } catch {
            failure = error
            return -1
        }
        let count = min(target.count, piece.count - position)
        unsafe piece.withUnsafeBytes { bytes in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
        }
        position += count
        return Int64(count)
    }
}

private let supportedCommands: Int64 = [
    ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
].reduce(0) { $0 | 1 << Int64($1.rawValue) }

private func pullSourceCallback(
    _ user: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?, _ length: UInt64, _ command: zip_source_cmd_t
) -> Int64 {
    guard let user = unsafe user else { return -1 }
    switch command {
    case ZIP_SOURCE_OPEN, ZIP_SOURCE_CLOSE, ZIP_SOURCE_FREE:
        return 0
    case ZIP_SOURCE_READ:
        let source = unsafe Unmanaged<PullSource>.fromOpaque(user).takeUnretainedValue()
        return unsafe source.read(into: UnsafeMutableRawBufferPointer(start: data, count: Int(length)))
    case ZIP_SOURCE_STAT:
        guard let stat = unsafe data?.assumingMemoryBound(to: zip_stat_t.self) else { return -1 }
        unsafe zip_stat_init(stat)
        return unsafe Int64(MemoryLayout<zip_stat_t>.size)
    case ZIP_SOURCE_ERROR:
        guard let codes = unsafe data?.assumingMemoryBound(to: Int32.self) else { return -1 }
        unsafe codes[0] = ZIP_ER_READ
        unsafe codes[1] = 0
        return 2 * Int64(MemoryLayout<Int32>.size)
    case ZIP_SOURCE_SUPPORTS:
        return supportedCommands
    default:
        return -1
    }
}
