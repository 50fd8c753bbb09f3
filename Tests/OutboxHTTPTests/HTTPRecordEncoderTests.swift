import Foundation
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncOutboxHTTP
import HealthSyncPorts
import Testing

@Suite("Record encoder")
struct HTTPRecordEncoderTests {
    private let encoder = HTTPRecordEncoder()
    private let destination: HealthDestination

    init() throws { destination = try Senders.destination("https://example.org") }

    private struct Quantity: Decodable {
        var quantity: Double
    }

    private func text(_ item: NewOutboxItem) -> String { String(decoding: item.payload, as: UTF8.self) }

    @Test("A metric's day is written before its hours, with sorted names and without missing figures")
    func progress() throws {
        let record = RevisedRecord(try Samples.steps("2024-01-15"), sourceID: "steps/2024-01-15", revision: 3)
        let item = destination.item(for: record)
        #expect(
            text(item)
                == #"{"day":"2024-01-15","granularity":"day","quantity":1250,"revision":3,"#
                + #""source_id":"steps/day/2024-01-15","start":"2024-01-14T23:00:00Z","type":"steps","unit":"count"},"#
                + #"{"day":"2024-01-15","granularity":"hour","quantity":1250.5,"revision":3,"#
                + #""source_id":"steps/hour/2024-01-15/2024-01-15T08:00:00Z","start":"2024-01-15T08:00:00Z","#
                + #""type":"steps","unit":"count"}"#)
        #expect(item.recordIDs == ["steps/day/2024-01-15", "steps/hour/2024-01-15/2024-01-15T08:00:00Z"])
        #expect(item.recordIDs == record.record.entryIDs)
        #expect(item.dedupKey == "steps/2024-01-15@3")
        #expect(item.orderingKey == "steps/2024-01-15")
        #expect(item.destination == "https://example.org")
    }

    @Test("A record contains minimum, maximum and count if they were measured")
    func discrete() throws {
        var day = try Samples.steps("2024-01-15")
        day.hours = []
        day.figures = ProgressFigures(quantity: 61.25, minimum: 48, maximum: 120, count: 300)
        let item = destination.item(for: RevisedRecord(day, sourceID: "x", revision: 1))
        #expect(
            text(item).hasPrefix(
                #"{"count":300,"day":"2024-01-15","granularity":"day","max":120,"min":48,"quantity":61.25,"#))
    }

    @Test("A deleted entry becomes a tombstone with the ordering key of its day")
    func removed() throws {
        let id = "steps/hour/2024-01-15/2024-01-15T09:00:00Z"
        let item = destination.tombstone(
            Tombstone(sourceID: id, kind: .progress, revision: 4, orderingKey: "steps/2024-01-15"))
        #expect(item.isTombstone && item.kind == .progress && item.revision == 4)
        #expect(item.dedupKey == id + "@4")
        #expect(item.orderingKey == "steps/2024-01-15")
        #expect(item.recordIDs == [id])
        #expect(item.payload.isEmpty)
    }

    @Test("A session has local times, stages in order and the unchanged name of its source")
    func sleep() throws {
        let session = try Samples.session(sourceName: "Anna’s \"Watch\"\n", offset: 3600)
        let item = destination.item(for: RevisedRecord(session, sourceID: "s-1", revision: 2))
        #expect(
            text(item)
                == #"{"end_time":"2024-01-15T07:01:00+01:00","notes":null,"revision":2,"#
                + #""source":"Anna’s \"Watch\"\u000a","source_id":"s-1","stages":["#
                + #"{"end_time":"2024-01-15T07:01:00+01:00","stage":"core","start_time":"2024-01-14T22:58:00+01:00"}],"#
                + #""start_time":"2024-01-14T22:58:00+01:00","#
                + #""counted":{"asleep_minutes":0,"awake_minutes":0,"core_minutes":0,"deep_minutes":0,"rem_minutes":0,"#
                + #""time_in_bed_minutes":0,"stretches":[{"end_time":"2024-01-15T07:01:00+01:00","#
                + #""start_time":"2024-01-14T22:58:00+01:00"}]},"day":"2024-01-15","#
                + #""night_id":"2024-01-14T21:58:00Z","role":"main"}"#)
        #expect(item.dedupKey == "s-1@2")
        #expect(item.recordIDs == ["s-1"])
    }

    @Test("A server that takes no nights gets the session without them, whatever its texts contain")
    func formerServer() throws {
        let session = try Samples.session(sourceName: #"a,"counted":b\"#, offset: 3600)
        let item = destination.item(for: RevisedRecord(session, sourceID: "s-1", revision: 2))
        var capabilities = Senders.full
        let former = try Senders.batch(of: [item], to: "https://example.org", capabilities: capabilities).body
        capabilities.sleepNights = true
        let current = try Senders.batch(of: [item], to: "https://example.org", capabilities: capabilities).body
        for (body, isCurrent) in [(former, false), (current, true)] {
            let list = try JSONSerialization.jsonObject(with: Data(body)) as? [String: [[String: Any]]]
            let sent = try #require(list?["sessions"]?.first)
            #expect(sent["source"] as? String == #"a,"counted":b\"#)
            #expect(sent["start_time"] as? String == "2024-01-14T22:58:00+01:00")
            #expect((sent["day"] != nil) == isCurrent && (sent["counted"] != nil) == isCurrent)
            #expect((sent["role"] != nil) == isCurrent && (sent["night_id"] != nil) == isCurrent)
        }
    }

    @Test("A night of which only totals are known contains them")
    func sums() throws {
        var session = try Samples.session(sourceName: "Ring", offset: -16_200)
        session.stages = []
        session.durations.deep = 90 * 60_000
        session.durations.rem = 45_000
        let sent = text(destination.item(for: RevisedRecord(session, sourceID: "s", revision: 1)))
        #expect(sent.contains(#""stage_minutes":{"asleep":0,"awake":0,"core":0,"deep":90,"rem":0.75},"stages":[]"#))
        #expect(sent.contains("-04:30"))
    }

    @Test("A snapshot has null for figures that were not measured")
    func snapshot() throws {
        var snapshot = ActivitySnapshot(day: try #require(CalendarDay("2024-01-15")))
        snapshot.steps = 8_000
        snapshot.walkingDistanceKilometres = 0.1 + 0.2
        let item = destination.item(
            for: RevisedRecord(snapshot, sourceID: "snapshot/2024-01-15", revision: 1))
        #expect(
            text(item)
                == #"{"active_energy_kcal":null,"day":"2024-01-15","exercise_minutes":null,"resting_heart_rate":null,"#
                + #""revision":1,"sleep_minutes":null,"source_id":"snapshot/2024-01-15","steps":8000,"#
                + #""walking_distance_km":0.30000000000000004}"#)
    }

    @Test("Every number is read back unchanged from JSON")
    func numbers() throws {
        var generator = SystemRandomNumberGenerator()
        let chosen: [Double] = [
            0, -0.0, 1e20, 1e-7, .leastNonzeroMagnitude, -1.5, 9_007_199_254_740_992, .greatestFiniteMagnitude,
        ]
        let random = (0..<500).map { _ in Double(bitPattern: generator.next()) }.filter(\.isFinite)
        for value in chosen + random {
            var day = try Samples.steps("2024-01-15")
            day.hours = []
            day.figures = ProgressFigures(quantity: value)
            let item = destination.item(for: RevisedRecord(day, sourceID: "x", revision: 1))
            // JSONSerialization on Linux reads many numbers with a wrong last digit.
            #expect(try JSONDecoder().decode(Quantity.self, from: Data(item.payload)).quantity == value)
        }
    }

    @Test("Equal records give equal items, whichever instance encodes them")
    func pure() throws {
        let record = RevisedRecord(try Samples.steps("2024-01-15"), sourceID: "steps/2024-01-15", revision: 1)
        let other = try Senders.destination("https://example.org")
        #expect(destination.item(for: record) == other.item(for: record))
    }

    private static func samples() -> RawSamples {
        var columns = SampleColumns()
        columns.append(start: 1_705_305_600_000, duration: 3_600_000, value: 1_250)
        columns.append(start: 1_705_309_200_500, duration: 0, value: 7)
        var samples = RawSamples()
        samples.append(
            columns,
            ids: [SampleID(high: 0x550E_8400_E29B_41D4, low: 0xA716_4466_5544_0000), SampleID(high: 0, low: 9)],
            origin: SampleOrigin(sourceName: "Anna’s \"Watch\"", device: "name:Apple Watch"))
        return samples
    }

    @Test("Raw steps have the members of POST /steps, and a revision only if it is not 0")
    func steps() {
        let samples = Self.samples()
        let id = samples.ids[1]
        let payload = encoder.payload(
            of: samples, kind: .steps, unit: "count",
            revisions: [id: SampleRevision(id: id, revision: 2, isDeleted: false)])
        let origin = #""sourceBundleId":"Anna’s \"Watch\"","sourceDeviceName":"name:Apple Watch","#
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"count":1250,"endDate":"2024-01-15T09:00:00Z","# + origin
                + #""startDate":"2024-01-15T08:00:00Z","uuid":"550e8400-e29b-41d4-a716-446655440000"},"#
                + #"{"count":7,"endDate":"2024-01-15T09:00:00.500Z","revision":2,"# + origin
                + #""startDate":"2024-01-15T09:00:00.500Z","uuid":"00000000-0000-0000-0000-000000000009"}"#)
    }

    @Test("Raw samples of other types have value and unit")
    func quantities() {
        let payload = encoder.payload(
            of: Self.samples().selecting([0]), kind: RecordKind(rawValue: "samples/heartRate"), unit: "count/min",
            revisions: [:])
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"endDate":"2024-01-15T09:00:00Z","sourceBundleId":"Anna’s \"Watch\"","#
                + #""sourceDeviceName":"name:Apple Watch","startDate":"2024-01-15T08:00:00Z","unit":"count/min","#
                + #""uuid":"550e8400-e29b-41d4-a716-446655440000","value":1250}"#)
    }
}
