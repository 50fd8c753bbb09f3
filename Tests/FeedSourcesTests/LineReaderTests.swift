import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Lines and fields for sources of plug-ins") struct LineReaderTests {
    private func lines(_ bytes: [UInt8]) throws -> [LineReader.Line] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var reader = try LineReader(path: path)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        #expect(try reader.next() == nil)
        return lines
    }

    @Test("Random files are read as by splitting them", arguments: UInt64(1)...20)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            // Some lines are longer than a piece.
            let length =
                Int.random(in: 0...9, using: &random) == 0 ? Int.random(in: 60_000...140_000, using: &random) : 7
            bytes +=
                (0..<length).map { _ in UInt8(ascii: "a") } + (Bool.random(using: &random) ? [0x0D, 0x0A] : [0x0A])
        }
        if Bool.random(using: &random) { bytes += [0x62, 0x0D] }
        var expected: [(String, Int64, Bool)] = []
        var start = 0
        for (place, byte) in bytes.enumerated() where byte == 0x0A {
            let end = place > start && bytes[place - 1] == 0x0D ? place - 1 : place
            expected.append((String(decoding: bytes[start..<end], as: UTF8.self), Int64(start), true))
            start = place + 1
        }
        if start < bytes.count {
            expected.append((String(decoding: bytes[start...], as: UTF8.self), Int64(start), false))
        }
        let found = try lines(bytes).map { ($0.text, $0.offset, $0.isTerminated) }
        #expect(found.map(\.0) == expected.map(\.0) && found.map(\.1) == expected.map(\.1))
        #expect(found.map(\.2) == expected.map(\.2))
    }

    @Test(
        "A line may have a mebibyte, wherever it begins", arguments: [0, 1, 40_000, 65_535, 65_536, 200_000],
        [true, false])
    func longLines(before: Int, isTerminated: Bool) throws {
        func file(_ length: Int) -> [UInt8] {
            [UInt8](repeating: 0x62, count: before) + [0x0A] + [UInt8](repeating: 0x61, count: length)
                + (isTerminated ? [0x0A] : [])
        }
        #expect(try lines(file(LineReader.longestLine)).last?.text.utf8.count == LineReader.longestLine)
        let failure = #expect(throws: SyncFailure.self) { try lines(file(LineReader.longestLine + 1)) }
        #expect(failure?.code == .badInput)
    }

    @Test("A file that cannot be read by lines has no first line")
    func firstLine() throws {
        let folder = try TemporaryFolder()
        #expect(LineReader.firstLine(of: folder.path) == nil && LineReader.firstLine(of: folder.path + "/none") == nil)
        let long = String(repeating: "a", count: LineReader.longestLine + 1)
        for (text, first) in [("a,b\r\n1,2\n", "a,b"), ("", nil), (long, nil)] {
            #expect(LineReader.firstLine(of: try folder.write(text, as: "file")) == first)
        }
    }

    @Test("A byte order mark is skipped, at the beginning only")
    func byteOrderMark() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let found = try lines(mark + Array("a\n".utf8) + mark + Array("b\n".utf8))
        #expect(found.map(\.text) == ["a", "\u{FEFF}b"] && found.map(\.offset) == [3, 5])
        #expect(try lines(mark) == [])
    }

    @Test("A file that does not exist and a folder are errors")
    func missing() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, folder.path + "/none"] {
            #expect(#expect(throws: SyncFailure.self) { _ = try LineReader(path: path) }?.code == .noInput)
        }
    }

    @Test(
        "Fields are divided as RFC 4180 says",
        arguments: [
            ("a,b", ["a", "b"]), ("", [""]), (",", ["", ""]), (#""a,b",c"#, ["a,b", "c"]),
            (#""say ""hi""",x"#, [#"say "hi""#, "x"]),
            (#""""#, [""]), (#""""""#, ["\""]), (#"a"b,c"#, nil), (#""a"b"#, nil), (#""a"#, nil),
            ("ä,\u{301}", ["ä", "\u{301}"]), (#"a, "b,c" ,d"#, ["a", "b,c", "d"]), (#"" a ", b "#, [" a ", " b "]),
            (#""a" "b""#, nil), (#""a"""#, nil), (#""a""b""#, [#"a"b"#]), (#"x"a""#, nil),
        ] as [(String, [String]?)])
    func fields(line: String, expected: [String]?) { #expect(CSVFields.split(line) == expected) }

    @Test("Another separator divides fields")
    func separator() { #expect(CSVFields.split("a;b,c", separator: UInt8(ascii: ";")) == ["a", "b,c"]) }
}
