import HealthSyncDomain
import HealthSyncCommands
import HealthSyncTestTools
import Testing

@Suite("Text on a terminal")
struct DisplayTextTests {
    @Test("The width of characters agrees with Python's Unicode database")
    func agreesWithPython() async throws {
        var wrong: [String] = []
        var count = 0
        for line in try await Peer.lines(of: "display/list_wide_characters.py") {
            let words = line.split(separator: " ")
            guard let code = UInt32(words[0], radix: 16), let scalar = Unicode.Scalar(code) else { continue }
            // Combining in Unicode 14 (Python 3.11), spacing in later versions.
            if code == 0x1171E { continue }
            count += 1
            if DisplayText.width(String(scalar)) != Int(words[1]) { wrong.append(String(words[0])) }
        }
        #expect(count > 130_000)
        #expect(wrong.isEmpty)
    }

    @Test("A grapheme cluster counts once")
    func clusters() {
        #expect(DisplayText.width("e\u{301}") == 1)
        #expect(DisplayText.width("👨‍👩‍👧") == 2)
        #expect(DisplayText.width("❤️") == 2)
        #expect(DisplayText.width("🇫🇷") == 2)
        #expect(DisplayText.width("Anna’s 手机") == 11)
    }

    @Test("Truncated text ends with an ellipsis and is never too wide")
    func fitted() {
        #expect(DisplayText.fitted("手机手机", columns: 8) == "手机手机")
        #expect(DisplayText.fitted("手机手机", columns: 7) == "手机手…")
        #expect(DisplayText.fitted("手机手机", columns: 6) == "手机…")
        #expect(DisplayText.fitted("abc", columns: 1) == "…")
        #expect(DisplayText.fitted("abc", columns: 0) == "")
        #expect(DisplayText.padded("手", columns: 4) == "手  ")
    }

    @Test("Text can neither forge lines nor control the terminal")
    func escaped() {
        #expect(UntrustedText.escaped("a\nb\r\t\u{1B}[2J\u{9B}x") == "a\\nb\\r\\t\\u{1b}[2J\\u{9b}x")
        #expect(UntrustedText.escaped("\u{202E}evil\u{2066}\u{2028}") == "\\u{202e}evil\\u{2066}\\u{2028}")
        #expect(UntrustedText.escaped("Anna’s 👨‍👩‍👧 手机") == "Anna’s 👨‍👩‍👧 手机")
        var table = TextTable([.left, .left])
        table.add("手机\n", "x")
        table.add("a", "y")
        #expect(table.lines() == ["手机\\n  x", "a       y"])
    }
}
