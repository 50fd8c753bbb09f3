import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// Tests of written JSON, parsed by Foundation.
struct JSONTextTests {
    private static func read(_ bytes: [UInt8]) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    @Test func stringsRoundTrip() throws {
        var random = SeededRandom(seed: 7)
        let odd = (0..<0x90).compactMap(Unicode.Scalar.init) + ["\u{2028}", "é", "👟", "\u{10FFFF}"]
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                if let scalar = odd.randomElement(using: &random) { text.unicodeScalars.append(scalar) }
            }
            var json = JSONBytes(reserving: 16)
            json.string(text)
            let back = try #require(try Self.read(json.bytes) as? String)
            #expect(Array(back.utf8) == Array(text.utf8))
        }
    }

    @Test(arguments: [
        0, -1, 1, 9, 10, 99, 1_234_567_890_123, Int64.max, .min, .min + 1,
    ])
    func wholeNumbersAreWrittenExactly(number: Int64) {
        var json = JSONBytes(reserving: 0)
        json.number(number)
        #expect(String(decoding: json.bytes, as: UTF8.self) == String(number))
    }

    @Test(arguments: [0.1, -2.5, 1e300, 2.2250738585072014e-308, 0.1 + 0.2, 72, -0.0])
    func numbersRoundTrip(number: Double) throws {
        var json = JSONBytes(reserving: 0)
        json.number(number)
        // JSONSerialization on Linux is off by the last bit.
        #expect(try JSONDecoder().decode(Double.self, from: Data(json.bytes)) == number)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func nonFiniteNumbersAreNull(number: Double) throws {
        var json = JSONBytes(reserving: 0)
        json.number(number)
        #expect(try Self.read(json.bytes) is NSNull)
    }

    @Test func membersAndElementsAreSeparated() throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("list")
        writer.beginArray()
        writer.integer(1)
        writer.beginObject()
        writer.endObject()
        writer.raw(Array("[]".utf8))
        writer.number(nil)
        writer.endArray()
        writer.name("text")
        writer.string("a\"b")
        writer.name("truth")
        writer.bool(true)
        writer.name("time")
        writer.time(Instant(milliseconds: 0))
        writer.endObject()
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(
            text == #"{"list":[1,{},[],null],"text":"a\"b","truth":true,"time":"1970-01-01T00:00:00Z"}"#)
        _ = try Self.read(writer.bytes)
    }

    @Test func returnedBytesAreNotWrittenAgain() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.integer(1)
        let first = writer.take()
        writer.integer(2)
        writer.endArray()
        #expect(String(decoding: first + writer.take(), as: UTF8.self) == "[1,2]")
    }
}
