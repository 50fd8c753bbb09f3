import CHealthSyncISAL
import CHealthSyncZip
import HealthSyncDomain

/// A stream of the uncompressed bytes of an entry, inflated by ISA-L and checked against the limits, the directory's
/// size and the CRC-32.
@safe
final class ZipEntryReader: ByteReader {
    private static let blockSize: Int64 = 256 << 10
    private let file: ReadableFile
    private let entry: ZipEntry
    private let limits: DecompressionLimits
    private let inflater: UnsafeMutableRawPointer?
    private var input = [UInt8](repeating: 0, count: Int(blockSize))
    private var inputStart = 0
    private var inputEnd = 0
    private var nextOffset: Int64
    private let endOffset: Int64
    private var produced: Int64 = 0
    private var checksum: UInt32 = 0
    private var isFinished = false
    private(set) var damage: StreamDamage?

    /// Reads `entry` of the archive `file`.
    ///
    /// Throws `.badInput` if the entry is encrypted, uses an unsupported compression method, or claims to be larger
    /// than the limits allow.
    init(_ entry: ZipEntry, in file: ReadableFile, limits: DecompressionLimits) throws(SyncFailure) {
        func rejection(_ reason: String, _ advice: String) -> SyncFailure {
            SyncFailure(.badInput, subject: file.path, reason: "\(entry.name): \(reason)", advice: advice)
        }
        guard !entry.isEncrypted else {
            throw rejection("it is encrypted", "unzip the archive with its password and specify the folder")
        }
        guard entry.method == 0 || entry.method == 8 else {
            throw rejection(
                "unsupported compression method \(entry.method)", "unzip the archive and specify the folder")
        }
        guard let dataOffset = entry.dataOffset ?? (entry.compressedSize == 0 ? 0 : nil) else {
            throw rejection("its data is not where the directory states", "copy export.zip from the phone again")
        }
        let compressedSize = Int64(clamping: entry.compressedSize)
        if let violation = limits.violation(by: Int64(clamping: entry.size), from: compressedSize) {
            throw rejection(violation, "do not trust this archive; export again from the Health app")
        }
        self.file = file
        self.entry = entry
        self.limits = limits
        nextOffset = dataOffset
        endOffset = dataOffset + compressedSize
        unsafe inflater = entry.method == 8 ? healthsync_inflate_create() : nil
    }

    deinit { unsafe healthsync_inflate_destroy(inflater) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !isFinished, damage == nil, let target = buffer.baseAddress else { return 0 }
        let room = UInt32(clamping: buffer.count)
        let bytes = unsafe target.assumingMemoryBound(to: UInt8.self)
        let count = try unsafe entry.method == 0 ? copy(into: buffer) : inflate(into: bytes, room: room)
        checksum = unsafe crc32_gzip_refl(checksum, bytes, UInt64(count))
        produced += Int64(count)
        if let violation = limits.violation(by: produced, from: Int64(clamping: entry.compressedSize)) {
            throw SyncFailure(
                .badInput, subject: file.path, reason: "\(entry.name): \(violation)",
                advice: "do not trust this archive; export again from the Health app")
        }
        if count == 0 { finish() }
        return count
    }

    private func copy(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, Int(endOffset - nextOffset))
        let read = try unsafe file.read(at: nextOffset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        if read < count { damage = StreamDamage(what: "the archive ends inside its data", taintsTail: false) }
        nextOffset += Int64(read)
        return read
    }

    private func inflate(into target: UnsafeMutablePointer<UInt8>, room: UInt32) throws -> Int {
        guard let inflater = unsafe inflater else {
            throw SyncFailure(
                .unexpected, subject: file.path, reason: "out of memory",
                advice: "close other programs and run this again")
        }
        while true {
            if inputStart == inputEnd { try refill() }
            var used = UInt32(inputEnd - inputStart)
            var written = room
            let result = unsafe input.withUnsafeBufferPointer { input in
                guard let base = input.baseAddress else { return ISAL_INVALID_BLOCK }
                return unsafe healthsync_inflate_step(inflater, base + inputStart, &used, target, &written)
            }
            let hadInput = inputStart < inputEnd
            inputStart += Int(used)
            if result < 0 || result == ISAL_NEED_DICT {
                return broken("the compressed data is damaged", written)
            }
            let isAtEnd = unsafe healthsync_inflate_is_finished(inflater) != 0
            if written > 0 || isAtEnd { return Int(written) }
            if !hadInput || used == 0 { return broken("the compressed data end too early", written) }
        }
    }

    private func broken(_ what: String, _ written: UInt32) -> Int {
        damage = StreamDamage(what: what, taintsTail: true)
        return Int(written)
    }

    private func refill() throws {
        let count = Int(min(Self.blockSize, endOffset - nextOffset))
        inputStart = 0
        inputEnd = try unsafe input.withUnsafeMutableBytes { block in
            try unsafe file.read(at: nextOffset, into: UnsafeMutableRawBufferPointer(rebasing: block[..<count]))
        }
        nextOffset += Int64(inputEnd)
    }

    private func finish() {
        isFinished = true
        guard damage == nil else { return }
        if produced != Int64(clamping: entry.size) {
            damage = StreamDamage(what: "the data does not have the size in the archive's directory", taintsTail: false)
        } else if checksum != entry.checksum {
            damage = StreamDamage(what: "the data does not match its CRC-32", taintsTail: false)
        }
    }
}

/// The limits for decompressing an archive.
package struct DecompressionLimits: Sendable, Hashable {
    /// The maximum decompressed size of an entry in bytes.
    package var totalBytes: Int64
    /// The maximum number of bytes per compressed byte. Real exports reach 60.
    package var ratio: Int64
    /// The decompressed size below which the ratio is not checked.
    package var ratioFloor: Int64

    /// Creates limits; by default 64 GB in total and, from 16 MiB on, a ratio of 500.
    package init(totalBytes: Int64 = 64 << 30, ratio: Int64 = 500, ratioFloor: Int64 = 16 << 20) {
        self.totalBytes = totalBytes
        self.ratio = ratio
        self.ratioFloor = ratioFloor
    }

    /// Returns the reason why `compressed` bytes may not expand to `decompressed` bytes; `nil` if they may.
    func violation(by decompressed: Int64, from compressed: Int64) -> String? {
        if decompressed > totalBytes { return "it decompresses to more than \(totalBytes) bytes" }
        let (allowed, overflow) = compressed.multipliedReportingOverflow(by: ratio)
        guard !overflow, decompressed > max(allowed, ratioFloor) else { return nil }
        return "it decompresses to more than \(ratio) times its size, as a ZIP bomb does"
    }
}

/// The libraries that read archives.
package enum FileSourceLibraries {
    /// The version of the loaded libzip.
    package static var zip: String { unsafe String(cString: zip_libzip_version()) }

    /// The version of ISA-L at build time; the library does not report it.
    package static var inflate: String { "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)" }
}
