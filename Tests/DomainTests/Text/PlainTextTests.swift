import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// Tests of digits, ids, addresses and trimming against Foundation.
struct PlainTextTests {
    @Test func digitsEqualThoseOfFoundation() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<500 {
            let words = [UInt64.random(in: 0...(.max), using: &random), UInt64.random(in: 0...9, using: &random)]
            #expect(HexDigits.text(words[0], words[1]) == String(format: "%016lx%016lx", words[0], words[1]))
            let id = SampleID(high: words[0], low: words[1])
            #expect(SampleID(try #require(UUID(uuidString: id.description)).uuidString) == id)
        }
        for byte in UInt8.min...UInt8.max {
            #expect(HexDigits.text([byte]) == String(format: "%02x", Int(byte)))
            let text = String(decoding: [byte], as: UTF8.self)
            #expect(HexDigits.value(byte) == UInt8(text, radix: 16))
        }
    }

    @Test func foundationDecodesPercentEncoding() {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        let all = String(String.UnicodeScalarView((0..<0x110).compactMap(Unicode.Scalar.init)))
        let encoded = PercentEncoding.encoded(all)
        #expect(encoded.removingPercentEncoding == all)
        #expect(Set(encoded).subtracting(unreserved) == ["%"])
        #expect(PercentEncoding.encoded("a/b ü", keepsSlash: true) == "a/b%20%C3%BC")
    }

    @Test(arguments: ["", " ", "   ", "a", "  a b  ", "\ta ", " \u{A0}a", "a  "])
    func endsAreTrimmed(text: String) {
        #expect(text.withoutOuterSpaces == text.trimmingCharacters(in: CharacterSet(charactersIn: " ")))
        #expect(text.withoutEnds(where: \.isWhitespace) == text.trimmingCharacters(in: .whitespaces))
    }
}
