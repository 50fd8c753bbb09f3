import HealthSyncDomain
import Testing

/// Text of protocols and identifiers is bytes, whatever `String` makes of it.
struct ByteTextTests {
    /// Characters that join the next or the previous one, or are equal to an ASCII one.
    static let joining = [
        "\u{600}", "\u{D4E}", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{37E}", "\u{212A}", "\u{1F1E6}", "\r",
    ]

    @Test(arguments: joining)
    func partsEndAtBytes(character: String) {
        #expect("a\(character),b".parts(separatedBy: ",").map(utf8) == ["a\(character)", "b"].map(utf8))
        #expect("a,\(character)b".parts(separatedBy: ",").map(utf8) == ["a", "\(character)b"].map(utf8))
        #expect("a\(character)b".parts(separatedBy: ";").count == 1)
        #expect("a\(character)b"[...].parts(separatedBy: ",", maxSplits: 1).count == 1)
    }

    @Test func emptyPartsAreKeptAndEmptyMembersAreNot() {
        #expect("".parts(separatedBy: ",") == [""])
        #expect(",a,".parts(separatedBy: ",") == ["", "a", ""])
        #expect("a=b=c".parts(separatedBy: "=", maxSplits: 1) == ["a", "b=c"])
        #expect(" ,\ta , b\u{A0},,\t".listMembers.map(utf8) == ["a", "b\u{A0}"].map(utf8))
    }

    @Test(arguments: [
        (" \t a b\t", "a b"), ("", ""), (" \t", ""), ("\u{A0}a", "\u{A0}a"), ("a\r", "a\r"), (" \u{301}", "\u{301}"),
    ])
    func onlySpacesAndTabsAreRemoved(text: String, expected: String) {
        #expect(utf8(text.withoutOuterBlanks) == utf8(expected))
    }

    /// `String` orders canonically equivalent texts alike, and by scalars of the composed form.
    @Test(arguments: joining + ["", "a", "ab", "\u{E9}", "e\u{301}", "\u{10FFFF}"])
    func textsAreComparedByTheirBytes(text: String) {
        for other in Self.joining + ["", "a", "ab", "\u{E9}", "e\u{301}", "\u{10FFFF}"] {
            for (left, right) in [(text, other), ("12345678901234567890" + text, "12345678901234567890" + other)] {
                #expect(left.precedesInBytes(right) == utf8(left).lexicographicallyPrecedes(utf8(right)))
                #expect(left.hasSameBytes(as: right) == (utf8(left) == utf8(right)))
                #expect(left[...].precedesInBytes(right[...]) == left.precedesInBytes(right))
            }
        }
    }

    @Test func onlyASCIILettersHaveTwoCases() {
        #expect("ChunKed".equalsIgnoringASCIICase("chunked"))
        for other in ["chun\u{212A}ed", "chunked\u{301}", "chunke", "chunkedd", "c\u{FF48}unked", "CHUN\u{212A}ED"] {
            #expect(!other.equalsIgnoringASCIICase("chunked"), "\(other)")
        }
        #expect(!"\u{C9}".equalsIgnoringASCIICase("\u{E9}"))
        #expect(utf8("A\u{212A}\u{130}\u{C9}Z[@".asciiLowercased) == utf8("a\u{212A}\u{130}\u{C9}z[@"))
    }

    @Test func prefixesEndWithinCharacters() {
        #expect(".\u{301}a".hasBytePrefix("."))
        #expect("\u{600}/".hasByteSuffix("/"))
        #expect("a,\u{301}b".containsBytes(of: ","))
        #expect(!"a\u{37E}b".containsBytes(of: ";"))
        #expect("sha256=\u{301}".removingBytePrefix("sha256=").map(utf8) == utf8("\u{301}"))
        #expect("sha256".removingBytePrefix("sha256=") == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("0012", 12), ("9223372036854775807", Int64.max), ("9223372036854775808", .max), ("", nil),
            ("+1", nil),
            ("-1", nil), ("1 ", nil), ("\u{661}", nil), ("1\u{301}", nil), ("\u{FF11}", nil),
        ] as [(String, Int64?)])
    func numbersAreASCIIDigits(text: String, expected: Int64?) { #expect(text.unsignedDecimal == expected) }

    /// Canonically equivalent texts: composed and decomposed, signs and letters, marks in two orders.
    static let spellings = [
        "caf\u{E9}", "cafe\u{301}", "\u{212A}", "K", "\u{212B}", "\u{C5}", "A\u{30A}", "a\u{323}\u{301}",
        "a\u{301}\u{323}", "\u{37E}", ";",
    ]

    @Test func spellingsAreDifferentIdentifiers() {
        let names = Self.spellings
        #expect(Set(names.map { ExactText($0) }).count == names.count)
        #expect(Set(names.map { SampleType(rawValue: $0) }).count == names.count)
        #expect(Set(names.map { RecordKind(rawValue: $0) }).count == names.count)
        #expect(Set(names.map { SampleOrigin(sourceName: $0) }).count == names.count)
        #expect(Set(names.map { SampleOrigin(sourceName: "a", device: $0) }).count == names.count)
        #expect(Set(names.map { ReceivedOrigin(bundleID: $0, deviceName: nil, unit: "") }).count == names.count)
        #expect(Set(names.map { ReceivedOrigin(bundleID: "", deviceName: $0, unit: "") }).count == names.count)
        #expect(Set(names.map { ReceivedOrigin(bundleID: "", deviceName: nil, unit: $0) }).count == names.count)
        let sorted = names.map { ExactText($0) }.sorted()
        #expect(sorted == names.reversed().map { ExactText($0) }.sorted())
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func equalBytesAreEqual() {
        #expect(ExactText("caf\u{E9}") == ExactText("caf\u{E9}"[...]))
        #expect(SampleOrigin(sourceName: "a", isUserEntered: true) != SampleOrigin(sourceName: "a"))
        #expect(SampleOrigin(sourceName: "a", isPreAggregated: true) != SampleOrigin(sourceName: "a"))
        #expect(
            ReceivedOrigin(bundleID: "a", deviceName: "", unit: "")
                != ReceivedOrigin(bundleID: "a", deviceName: nil, unit: ""))
    }

    @Test(arguments: ["x,\u{301}admin", "x\u{600},admin", "x,admin", "device:b"])
    func nothingInTheNameOfATokenIsAPermission(name: String) {
        let stored = "device:a,read,name:\(name)"
        #expect(Set<AccessScope>(stored: stored) == [.read])
        #expect(AccessToken.device(stored: stored)?.text == "a")
        #expect(AccessToken.name(stored: stored)?.text == (name.utf8.contains(0x2C) ? nil : name))
        #expect((TokenName(name) == nil) == name.utf8.contains(0x2C))
    }

    private func utf8(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }
}
