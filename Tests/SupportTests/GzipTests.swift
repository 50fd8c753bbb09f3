import Foundation
import HealthSyncSupport
import HealthSyncTestTools
import Testing

/// The oracle is the program `gzip`.
@Suite("Compression by gzip")
struct GzipTests {
    private static let texts: [[UInt8]] = [
        [], [0], Array("health".utf8), [UInt8](repeating: 7, count: 200_000),
        (0..<100_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) },
    ]

    private func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        return Array(try Command(["gzip", "-c", folder.write(bytes, as: "file")]).output())
    }

    private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        return Array(try Command(["gzip", "-dc", folder.write(bytes, as: "file.gz")]).output())
    }

    @Test("What gzip compressed is decompressed, in one piece and byte by byte", arguments: texts.indices)
    func decompression(number: Int) throws {
        let text = Self.texts[number]
        let member = try packed(text)
        #expect(try Gzip.decompressed(member, limit: text.count) == text)
        for size in [1, 2, 3, 7, 64, 4_096] {
            let inflation = GzipInflation(limit: text.count)
            for start in stride(from: 0, to: member.count, by: size) {
                try inflation.append(member[start..<min(start + size, member.count)])
            }
            #expect(try inflation.finish() == text, "pieces of \(size) bytes")
        }
    }

    /// RFC 1952, section 2.3: the optional fields are extra data, a name, a comment and a checksum of the header.
    @Test("Every optional field of the header is skipped, wherever a piece ends", arguments: 0..<16)
    func headers(fields: Int) throws {
        let text = Array("health".utf8)
        let plain = try packed(text)
        let nameEnd = try #require(plain[10...].firstIndex(of: 0))
        var header: [UInt8] = [0x1F, 0x8B, 8, 0, 1, 2, 3, 4, 0, 3]
        if fields & 1 != 0 { header += [3, 0, 0, 1, 2] }
        if fields & 2 != 0 { header += Array("name".utf8) + [0] }
        if fields & 4 != 0 { header += Array("comment".utf8) + [0] }
        header[3] = [4, 8, 16, 2].enumerated().reduce(0) { $0 | (fields >> $1.offset & 1 == 1 ? $1.element : 0) }
        if fields & 8 != 0 {
            let sum = try #require(UInt32(crc(header), radix: 16))
            header += [UInt8(sum & 0xFF), UInt8(sum >> 8 & 0xFF)]
        }
        let member = header + plain[(nameEnd + 1)...]
        for cut in 1..<member.count {
            let inflation = GzipInflation(limit: text.count)
            try inflation.append(member[..<cut])
            try inflation.append(member[cut...])
            #expect(try inflation.finish() == text, "cut at \(cut)")
        }
    }

    /// Returns the CRC-32 of bytes as Python computes it, in hexadecimal.
    private func crc(_ bytes: [UInt8]) throws -> String {
        let words = bytes.map(String.init).joined(separator: ",")
        let script = "import zlib;print('%08x' % zlib.crc32(bytes([\(words)])))"
        return String(decoding: try Command(["python3", "-c", script]).output(), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
    }

    @Test("A header may have so many bytes, not more", arguments: [(0, true), (1, false)])
    func longestHeader(excess: Int, isValid: Bool) throws {
        let text = Array("health".utf8)
        let plain = try packed(text)
        let nameEnd = try #require(plain[10...].firstIndex(of: 0))
        let name = [UInt8](repeating: 0x61, count: GzipInflation.longestHeader - 11 + excess)
        let member = Array(plain[..<10]) + name + plain[nameEnd...]
        for piece in [member.count, 1 << 16, 1 << 14] {
            func inflated() throws -> [UInt8] {
                let inflation = GzipInflation(limit: text.count)
                for start in stride(from: 0, to: member.count, by: piece) {
                    try inflation.append(member[start..<min(start + piece, member.count)])
                }
                return try inflation.finish()
            }
            if isValid {
                #expect(try inflated() == text)
            } else {
                #expect(throws: Gzip.Failure.invalid) { try inflated() }
            }
        }
    }

    @Test("One byte more than the limit is too large, and what fits is there")
    func limit() throws {
        let text = [UInt8](repeating: 3, count: 150_000)
        let member = try packed(text)
        let inflation = GzipInflation(limit: text.count - 1)
        #expect(throws: Gzip.Failure.tooLarge) { try inflation.append(member[...]) }
        #expect(inflation.content == Array(text.dropLast()))
    }

    @Test("Exactly one whole member is accepted")
    func members() throws {
        let member = try packed(Array("health".utf8))
        var damaged = member
        damaged[member.count - 6] ^= 1
        for bytes in [[], Array(member.dropLast()), member + [0], member + member, damaged, Array("health".utf8)] {
            #expect(throws: Gzip.Failure.invalid) { try Gzip.decompressed(bytes, limit: 1_000) }
        }
    }
}
