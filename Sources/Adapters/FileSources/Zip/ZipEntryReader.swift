import CHealthSyncISAL
import HealthSyncDomain

/// The uncompressed bytes of one entry: raw bytes from the file, inflated by ISA-L, measured against the limits, size
/// and CRC-32 compared with the directory.
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
    /// Throws `.badInput` when the entry is encrypted, compressed in a way that is not known, or claims to be larger
    /// than the limits allow.
    init(_ entry: ZipEntry, in file: ReadableFile, limits: DecompressionLimits) throws(SyncFailure) {
        func refusal(_ reason: String, _ advice: String) -> SyncFailure {
            SyncFailure(.badInput, subject: file.path, reason: "\(entry.name): \(reason)", advice: advice)
        }
        guard !entry.isEncrypted else {
            throw refusal("it is encrypted", "unzip the archive with its password and name the folder")
        }
        guard entry.method == 0 || entry.method == 8 else {
            throw refusal(
                "compression method \(entry.method) is not known", "unzip the archive and name the folder")
        }
        guard let dataOffset = entry.dataOffset ?? (entry.compressedSize == 0 ? 0 : nil) else {
            throw refusal("its bytes are not where the directory says", "copy export.zip from the phone again")
        }
        let compressedSize = Int64(clamping: entry.compressedSize)
        if let objection = limits.objection(to: Int64(clamping: entry.size), from: compressedSize) {
            throw refusal(objection, "do not trust this archive; export again from the Health app")
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
        if let objection = limits.objection(to: produced, from: Int64(clamping: entry.compressedSize)) {
            throw SyncFailure(
                .badInput, subject: file.path, reason: "\(entry.name): \(objection)",
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
                .unexpected, subject: file.path, reason: "no memory to inflate",
                advice: "end other programs and run this again")
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
                return broken("the compressed data are broken", written)
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
            damage = StreamDamage(what: "the archive's directory states another size", taintsTail: false)
        } else if checksum != entry.checksum {
            damage = StreamDamage(what: "the data do not match their CRC-32", taintsTail: false)
        }
    }
}
