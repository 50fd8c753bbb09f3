import Foundation
import HealthSyncTestKit
import Testing

@testable import HealthSyncFileSources

/// The structural check of JSON texts against Foundation's parser.
@Suite struct JSONNodeTests {
    private static let text =
        #" {"a":[1,-2.5e3,{"b":"x\"\\ü€","c":null},[],{}],"d":true,"":"[{","e":{"f":[[[false]]],"a":0.1}} "#

    private func isValid(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])) != nil
    }

    /// Visits everything; returns the number of values.
    private func visit(_ node: JSONNode) -> Int {
        var count = 1
        if node.isArray { node.forEachElement { count += visit($0) } }
        if let object = node.object {
            for name in object.names { count += object[name].map(visit) ?? 0 }
        }
        _ = (node.text, node.number, node.isTrue)
        return count
    }

    @Test func aTextThatFoundationReadsIsRead() throws {
        let node = try #require(JSONNode(Array(Self.text.utf8)))
        #expect(node.object?.names == ["a", "d", "", "e"])
        #expect(node.object?["a"]?.firstElement?.number == 1)
        #expect(node.object?.value(at: ["e", "a"])?.number == 0.1)
        #expect(node.object?.text("") == "[{")
        #expect(visit(node) == 16)
    }

    @Test func noPrefixIsATextAndNoChangeIsATrap() throws {
        let whole = Array(Self.text.utf8)
        let end = whole.count - 1
        for length in 0..<end { #expect(JSONNode(Array(whole.prefix(length))) == nil, "cut at \(length)") }
        var random = SeededGenerator(seed: 3)
        var counts = (valid: 0, invalid: 0)
        for _ in 0..<20_000 {
            let bytes = random.mutate(whole)
            let node = JSONNode(bytes)
            if let node { _ = visit(node) }
            if node == nil { counts.invalid += 1 } else { counts.valid += 1 }
            // Foundation also reads UTF-16 and UTF-32, of which zeros are a sign, and allows a comma before a bracket.
            let text = String(decoding: bytes, as: UTF8.self)
            let isLenient = bytes.contains(0) || text.contains(#/,\s*[\]}]/#)
            if isValid(bytes), !isLenient { #expect(node != nil, "\(text)") }
        }
        #expect(counts.valid > 1_000 && counts.invalid > 1_000)
    }

    @Test func deepNestingIsNoText() {
        #expect(JSONNode(Array(String(repeating: "[", count: 100_000).utf8)) == nil)
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        #expect(JSONNode(Array(deep.utf8)) == nil)
        let fine = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        #expect(JSONNode(Array(fine.utf8)) != nil)
    }

    @Test(arguments: [
        ("1", 1), ("-0.5", -0.5), ("1e400", nil), ("nan", nil), ("+1", nil), ("0x10", nil), ("\"1\"", nil),
    ])
    func numbersAreDecimal(_ text: String, _ value: Double?) throws {
        #expect(JSONNode(Array(text.utf8))?.number == value)
    }
}
