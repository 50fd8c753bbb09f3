import Foundation
import HealthSyncTestTools
import Testing

/// The server reads header values, targets and forms as bytes: for Unicode scalars before, in and after each separator, the
/// reading equals that of a reference in Python.
///
/// Tests insert a sample of the scalars at every place. With many seeds each scalar is inserted at every place of one
/// separator, of the next scalar the next separator.
@Suite struct ByteReadingTests {
    private static let block = 256
    private static let hasAll = Seeds.amount == .many

    /// A template with the scalars that are inserted.
    private struct Case: Sendable {
        let template: ReadingTemplate
        let first: Int
        let step: Int

        var line: String { template.line(first: first, step: step) + "\n" }
    }

    @Test func theReadingEqualsThatOfTheReference() async throws {
        let folder = try TemporaryFolder()
        let scalars = Self.hasAll ? TestScalars.all : TestScalars.sample
        #expect(scalars.count > 1_000)
        let step = Self.hasAll ? ReadingTemplate.separatorCount : 1
        let cases = ReadingTemplate.all.map { Case(template: $0, first: $0.separator % step, step: step) }
        let list = try folder.write(Self.text(scalars), as: "scalars")
        let file = try folder.write(cases.map(\.line).joined(), as: "templates")
        async let expected = Peer.lines(of: "servers/byte_readings.py", [file, list])
        let found = await Self.sums(of: cases, scalars)
        let sums = try await expected
        try #require(sums.count == cases.count)
        for (index, item) in cases.enumerated() where sums[index] != found[index] {
            let places = zip(sums[index].split(separator: " "), found[index].split(separator: " ")).enumerated()
            guard let place = places.first(where: { $1.0 != $1.1 })?.offset else { continue }
            let inserted = Self.scalars(of: item, scalars)
            let different = Array(inserted[place * Self.block..<min(inserted.count, (place + 1) * Self.block)])
            try await Self.explain(item.template, different, in: folder)
        }
    }

    private static func scalars(of item: Case, _ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        item.step == 1 ? scalars : stride(from: item.first, to: scalars.count, by: item.step).map { scalars[$0] }
    }

    /// Records an issue for the first scalar whose reading differs.
    private static func explain(
        _ template: ReadingTemplate, _ scalars: [Unicode.Scalar], in folder: TemporaryFolder
    ) async throws {
        let line = template.line(first: 0, step: 1)
        let file = try folder.write(line + "\n", as: "template")
        let list = try folder.write(text(scalars), as: "block")
        let output = try await Peer.output(of: "servers/byte_readings.py", ["--readings", file, list])
        let expected = String(decoding: output, as: UTF8.self).dropLast().split(
            separator: " ", omittingEmptySubsequences: false)
        for (scalar, expected) in zip(scalars, expected) {
            let found = ServerReading.reading(template.name, of: template.value(of: scalar))
            guard found != expected else { continue }
            Issue.record("\(line): U+\(String(scalar.value, radix: 16)): \(found) instead of \(expected)")
            return
        }
        Issue.record("\(line): the check sums differ")
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        scalars.map { String($0.value, radix: 16) + "\n" }.joined()
    }

    /// Returns the check sums of the readings of each template, in the form of the reference.
    private static func sums(of cases: [Case], _ scalars: [Unicode.Scalar]) async -> [String] {
        await withTaskGroup(of: (Int, String).self) { group in
            for (index, item) in cases.enumerated() {
                group.addTask { (index, Self.sums(of: item.template, Self.scalars(of: item, scalars))) }
            }
            var sums = [String](repeating: "", count: cases.count)
            for await (index, text) in group { sums[index] = text }
            return sums
        }
    }

    private static func sums(of template: ReadingTemplate, _ scalars: [Unicode.Scalar]) -> String {
        var sums: [String] = []
        for first in stride(from: 0, to: scalars.count, by: block) {
            var sum = CRC32()
            for scalar in scalars[first..<min(scalars.count, first + block)] {
                sum.add(ServerReading.reading(template.name, of: template.value(of: scalar)))
                sum.add("\n")
            }
            let digits = String(sum.value, radix: 16)
            sums.append(String(repeating: "0", count: 8 - digits.utf8.count) + digits)
        }
        return sums.joined(separator: " ")
    }
}
