import CHealthSyncZip
import Foundation

/// Lets libzip read from a `ReadableFile` and records the last read offset, because libzip does not report where the
/// bytes of an entry are. Used by one thread.
@safe
final class ZipFileSource {
    private let file: ReadableFile
    private var position: Int64 = 0
    private var error = unsafe zip_error_t()
    /// The offset of the last read.
    private(set) var lastReadOffset: Int64 = 0

    /// Creates a source for `file`.
    init(_ file: ReadableFile) {
        self.file = file
        unsafe zip_error_init(&error)
    }

    /// The callback for libzip; its first argument is the unretained source.
    static let callback: zip_source_callback = { context, data, length, command in
        guard let context = unsafe context else { return -1 }
        let source = unsafe Unmanaged<ZipFileSource>.fromOpaque(context).takeUnretainedValue()
        return unsafe source.perform(command, data, length)
    }

    private func perform(
        _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t
    ) -> zip_int64_t {
        switch command {
        case ZIP_SOURCE_OPEN:
            position = 0
            return 0
        case ZIP_SOURCE_READ:
            return unsafe read(data, length)
        case ZIP_SOURCE_CLOSE, ZIP_SOURCE_FREE:
            return 0
        case ZIP_SOURCE_STAT:
            return unsafe describe(data)
        case ZIP_SOURCE_ERROR:
            return unsafe zip_error_to_data(&error, data, length)
        case ZIP_SOURCE_SEEK:
            let target = unsafe zip_source_seek_compute_offset(
                UInt64(position), UInt64(file.size), data, length, &error)
            guard target >= 0 else { return -1 }
            position = target
            return 0
        case ZIP_SOURCE_TELL:
            return position
        case ZIP_SOURCE_SUPPORTS:
            return Self.supported
        default:
            unsafe zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0)
            return -1
        }
    }

    private static let supported: zip_int64_t = [
        ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
        ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS,
    ].reduce(0) { $0 | 1 << Int64($1.rawValue) }

    private func read(_ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t) -> zip_int64_t {
        lastReadOffset = position
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: data, count: data == nil ? 0 : Int(clamping: length))
        do {
            let count = try unsafe file.read(at: position, into: buffer)
            position += Int64(count)
            return Int64(count)
        } catch {
            unsafe zip_error_set(&self.error, ZIP_ER_READ, EIO)
            return -1
        }
    }

    private func describe(_ data: UnsafeMutableRawPointer?) -> zip_int64_t {
        guard let data = unsafe data else { return -1 }
        let status = unsafe data.assumingMemoryBound(to: zip_stat_t.self)
        unsafe zip_stat_init(status)
        unsafe status.pointee.size = UInt64(file.size)
        unsafe status.pointee.valid = UInt64(ZIP_STAT_SIZE)
        return unsafe zip_int64_t(MemoryLayout<zip_stat_t>.size)
    }
}
