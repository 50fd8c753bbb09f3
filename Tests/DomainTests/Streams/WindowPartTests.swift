import HealthSyncDomain
import Testing

@Suite struct WindowPartTests {
    private static let steps = SampleTypeDefinition.stepCount.type
    private static let pulse = SampleTypeDefinition.heartRate.type

    private func list(_ name: String, held: Int?, _ records: ClosedRange<UInt64>?) -> WindowPart.List {
        WindowPart.List(
            name: name, types: [name == "steps" ? Self.steps : Self.pulse], held: held,
            records: Set(records.map(Array.init) ?? []))
    }

    private func part(_ version: Int64, isLast: Bool = false, _ lists: WindowPart.List...) -> WindowPart {
        WindowPart(
            start: Instant(seconds: 0), end: Instant(seconds: 100), version: version, date: Instant(seconds: version),
            isLast: isLast, lists: lists)
    }

    private func found(_ parts: [WindowPart]) -> [String] {
        WindowPart.complete(parts).map { window in
            "\(window.version) " + window.types.map(\.shortName).sorted().joined(separator: " ")
        }
    }

    @Test func aWindowIsCompleteWithAsManyRecordsAsTheSenderHolds() {
        let parts = [
            part(1, list("steps", held: 5, 1...3), list("pulse", held: 2, 1...2)),
            part(2, list("steps", held: 5, 4...4)), part(3, isLast: true, list("steps", held: 5, 5...5)),
        ]
        #expect(found(parts) == ["1 heartRate stepCount"])
        #expect(found(parts.reversed() + parts) == ["1 heartRate stepCount"])
        #expect(WindowPart.isWhole(parts))
        #expect(found([parts[0], parts[2]]) == ["1 heartRate"])
        #expect(!WindowPart.isWhole([parts[0], parts[2]]))
        #expect(found([parts[0], parts[1]]) == [])
        #expect(found([]) == [])
    }

    @Test func anEmptyListIsCompleteAndAnUnknownOneIsNot() {
        #expect(found([part(1, isLast: true, list("steps", held: 0, nil))]) == ["1 stepCount"])
        #expect(
            found([part(1, isLast: true, list("steps", held: nil, nil), list("pulse", held: 0, nil))]) == [
                "1 heartRate"
            ])
        #expect(found([part(1, isLast: true)]) == [])
    }

    /// A window that is sent again does not count the records of the former sending.
    @Test func roundsAreApart() {
        let first = [part(1, list("steps", held: 4, 1...2)), part(2, isLast: true, list("steps", held: 4, 3...4))]
        let second = [part(5, list("steps", held: 4, 1...2)), part(6, isLast: true, list("steps", held: 4, 5...6))]
        #expect(found(first + second) == ["5 stepCount", "1 stepCount"])
        #expect(found(first + second.suffix(1)) == ["1 stepCount"])
    }

    /// A sending that was given up and began again: only its last parts are needed.
    @Test func theLatestPartsThatSufficeCount() {
        let parts = [
            part(1, list("steps", held: 3, 1...2)), part(2, list("steps", held: 3, 1...2)),
            part(3, isLast: true, list("steps", held: 3, 3...3)),
        ]
        #expect(found(parts) == ["2 stepCount"])
    }
}
