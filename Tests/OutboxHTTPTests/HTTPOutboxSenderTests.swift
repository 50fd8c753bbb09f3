import Foundation
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncOutboxHTTP
import HealthSyncPorts
import Testing

/// The sender against the independent Python server.
@Suite("Outbox sender")
struct HTTPOutboxSenderTests {
    @Test("The capabilities of a server are read; a 404 means a plain server")
    func capabilities() async throws {
        let peer = try await PeerServer()
        #expect(try await Senders.sender(to: peer.address).capabilities() == .capabilities(Senders.full))
        let plain = try await PeerServer(plain: true)
        #expect(try await Senders.sender(to: plain.address).capabilities() == .capabilities(.plain))
    }

    @Test("Records are sent compressed, and sending them again creates no new ones")
    func delivered() async throws {
        let peer = try await PeerServer(token: "secret")
        let sender = try Senders.sender(to: peer.address, token: "secret")
        let batch = try Senders.stepsBatch(to: peer.address, days: 20)
        for _ in 0..<2 {
            #expect(
                await sender.send(batch, capabilities: Senders.full)
                    == .answered([ItemVerdict](repeating: .delivered, count: 20)))
        }
        let created = try peer.created(.progress)
        #expect(created.count == 40)
        #expect(created.values.allSatisfy { $0 == 1 })
        #expect(try peer.requests().allSatisfy { $0.encoding == "gzip" && ($0.wire_bytes ?? 0) < ($0.bytes ?? 0) / 4 })
        #expect(try peer.everyKeyHasOneContent())
        #expect(try peer.violations() == 0)
    }

    @Test("The server's own words are the reason of a rejection, in JSON and as text; a page explains nothing")
    func explanations() async throws {
        let bodies = [
            (#"{"error":{"message":"no such hour"}}"#, ": no such hour"), (#""no such\nday\n""#, ": no such day"),
            (#""<html>no</html>""#, ""),
        ]
        let script = bodies.map { #"{"match":"POST *","do":"status","status":422,"body":\#($0.0)}"# }
        let peer = try await PeerServer(script: "[\(script.joined(separator: ","))]")
        let sender = try Senders.sender(to: peer.address)
        let batch = try Senders.stepsBatch(to: peer.address)
        for (_, text) in bodies {
            #expect(
                await sender.send(batch, capabilities: Senders.full)
                    == .bisect(reason: "the server returned 422\(text)", status: 422))
        }
    }

    @Test("Every status of the table, with its header fields")
    func statuses() async throws {
        let rows: [(status: Int, headers: String)] = [
            (500, "{}"), (503, #"{"Retry-After":"9"}"#), (429, #"{"Retry-After":"60"}"#), (408, "{}"), (425, "{}"),
            (502, "{}"), (504, "{}"), (520, "{}"), (524, "{}"), (400, "{}"), (422, "{}"), (413, "{}"), (410, "{}"),
            (401, "{}"), (403, "{}"), (404, "{}"), (405, "{}"), (406, "{}"), (411, "{}"), (415, "{}"), (431, "{}"),
            (501, "{}"), (505, "{}"), (511, "{}"), (301, "{}"), (302, "{}"), (308, "{}"),
        ]
        let script = rows.map { #"{"match":"POST *","do":"status","status":\#($0.status),"headers":\#($0.headers)}"# }
        let peer = try await PeerServer(script: "[\(script.joined(separator: ","))]")
        let sender = try Senders.sender(to: peer.address)
        let batch = try Senders.stepsBatch(to: peer.address)
        for row in rows {
            let verdict = await sender.send(batch, capabilities: Senders.full)
            switch (row.status, verdict) {
            case (503, .retryBatch(_, 503, let after?)), (429, .retryBatch(_, 429, let after?)):
                #expect(after > Instant(seconds: 1_700_000_000))
            case (500, .failed(_, 500, nil)), (408, .retryBatch(_, 408, nil)), (425, .retryBatch(_, 425, nil)),
                (502, .retryBatch(_, 502, nil)), (504, .retryBatch(_, 504, nil)), (520, .retryBatch(_, 520, nil)),
                (524, .retryBatch(_, 524, nil)), (400, .bisect(_, 400)), (422, .bisect(_, 422)), (413, .tooLarge),
                (410, .disable):
                break
            case (let status, .pause(_, let named)) where status == named:
                #expect(![500, 502, 503, 504, 408, 425, 429, 400, 422, 413, 410].contains(status))
            default:
                Issue.record("the verdict on \(row.status) is \(verdict)")
            }
        }
        #expect(try peer.received().isEmpty)
        #expect(Set(try peer.requests().map(\.key)).count == 1)
    }

    @Test("A redirect is not followed, so the token is sent to no other server")
    func redirect() async throws {
        let elsewhere = try await RawServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        let peer = try await PeerServer(
            script: #"[{"match":"POST *","do":"redirect","status":307,"location":"\#(elsewhere.address)/steps"}]"#)
        let sender = try Senders.sender(to: peer.address, token: "secret")
        let verdict = await sender.send(
            try Senders.stepsBatch(to: peer.address), capabilities: Senders.full)
        guard case .pause(_, 307) = verdict else {
            Issue.record("the verdict on a redirect is \(verdict)")
            return
        }
        #expect(try elsewhere.requests().isEmpty)
    }

    @Test("Results by record: rejected, to be retried, missing, sparse")
    func results() async throws {
        let first = "steps/day/2024-01-01"
        let peer = try await PeerServer(
            script: """
                [{"match":"POST *","do":"reject_ids","ids":["\(first)"],"reason":"no such day"},
                 {"match":"POST *","do":"retry_items","ids":["\(first)"]},
                 {"match":"POST *","do":"forget","ids":["\(first)"]},
                 {"match":"POST *","do":"sparse"}]
                """)
        let sender = try Senders.sender(to: peer.address)
        let batch = try Senders.stepsBatch(to: peer.address)
        let rejected = ItemVerdict.rejected(reason: "1 of 2 records rejected: no such day")
        for expected in [
            [rejected, .delivered], [.retry, .delivered], [.retry, .delivered], [.delivered, .delivered],
        ] {
            #expect(await sender.send(batch, capabilities: Senders.full) == .answered(expected))
        }
        #expect(try peer.created(.progress).values.allSatisfy { $0 == 1 })
    }

    @Test("After an invalid, truncated or too long response the same bytes are sent again")
    func unreadable() async throws {
        let peer = try await PeerServer(
            script: """
                [{"match":"POST *","do":"garbage"}, {"match":"POST *","do":"truncate"},
                 {"match":"POST *","do":"huge_body"}]
                """)
        let sender = try Senders.sender(to: peer.address)
        let batch = try Senders.stepsBatch(to: peer.address)
        for _ in 0..<3 {
            let verdict = await sender.send(batch, capabilities: Senders.full)
            guard case .unknown = verdict else {
                Issue.record("the verdict on an unreadable response is \(verdict)")
                return
            }
        }
        #expect(await sender.send(batch, capabilities: Senders.full) == .answered([.delivered, .delivered]))
        #expect(try peer.created(.progress).count == 4)
        #expect(try peer.everyKeyHasOneContent())
        #expect(try peer.violations() == 0)
    }

    @Test("After a closed or slow connection the request is sent again, and nothing is stored twice")
    func cut() async throws {
        let peer = try await PeerServer(
            script: """
                [{"match":"POST *","do":"close"}, {"match":"POST *","do":"close_after_store"},
                 {"match":"POST *","do":"slow","seconds":5,"when":"after"}]
                """)
        let sender = try Senders.sender(to: peer.address)
        let batch = try Senders.stepsBatch(to: peer.address)
        for sender in [sender, sender, try Senders.sender(to: peer.address, timeout: 700)] {
            let verdict = await sender.send(batch, capabilities: Senders.full)
            guard case .retryBatch(_, nil, nil) = verdict else {
                Issue.record("the verdict on a closed connection is \(verdict)")
                return
            }
        }
        #expect(await sender.send(batch, capabilities: Senders.full) == .answered([.delivered, .delivered]))
        #expect(try peer.created(.progress).values.allSatisfy { $0 == 1 })
        #expect(try peer.violations() == 0)
    }

    @Test("Deletions of several samples are one request with their ids and revisions; a single one is in the path")
    func groupedTombstones() async throws {
        let items = (1...2).map { number in
            let id = "00000000-0000-4000-8000-00000000000\(number)"
            return NewOutboxItem(
                destination: "http://server", kind: RecordKind(rawValue: "samples/heartRate"),
                dedupKey: "\(id)@\(number)", orderingKey: id, revision: number, isTombstone: true, payload: [],
                recordIDs: [id])
        }
        let both = try Senders.batch(of: items, to: "http://server")
        #expect(both.path == "/api/v1/deletions/samples/heartRate")
        #expect(
            String(decoding: both.body, as: UTF8.self)
                == #"{"deletions":[{"id":"00000000-0000-4000-8000-000000000001","revision":1},"#
                + #"{"id":"00000000-0000-4000-8000-000000000002","revision":2}]}"#)
        #expect(both.operation == .delete && both.recordIDs.count == 2)
        let one = try Senders.batch(of: [items[0]], to: "http://server")
        #expect(one.path == "/api/v1/samples/heartRate/00000000-0000-4000-8000-000000000001?revision=1")
        #expect(one.body.isEmpty)
    }

    @Test("A tombstone deletes by id and revision")
    func tombstone() async throws {
        let peer = try await PeerServer()
        let sender = try Senders.sender(to: peer.address)
        let destination = try Senders.destination(peer.address)
        let session = try Samples.session(sourceName: "Watch", offset: 0)
        let store = destination.item(
            for: RevisedRecord(session, sourceID: "a/b ü?&", revision: 1))
        let delete = destination.tombstone(Tombstone("a/b ü?&", kind: .sleep, revision: 2))
        for content in [store, delete] {
            let batch = try Senders.batch(of: [content], to: peer.address)
            #expect(await sender.send(batch, capabilities: Senders.full) == .answered([.delivered]))
        }
        let received = try peer.received()
        #expect(received.map(\.id) == ["a/b ü?&", "a/b ü?&"])
        #expect(received.map(\.op) == ["upsert", "delete"])
        #expect(received.map(\.revision) == [1, 2])
    }

    @Test("A plain server receives one uncompressed session, and its 2xx is trusted")
    func plain() async throws {
        let peer = try await PeerServer(plain: true)
        let sender = try Senders.sender(to: peer.address)
        let destination = try Senders.destination(peer.address)
        let session = RevisedRecord(try Samples.session(sourceName: "Watch", offset: 0), sourceID: "s", revision: 1)
        let batch = try Senders.batch(of: [destination.item(for: session)], to: peer.address, capabilities: .plain)
        // Calculated with Python: uuid5(NAMESPACE_URL, "sleep:s").
        let id = "e3f82be9-792d-5e28-bb77-a14a8d436222"
        #expect(await sender.send(batch, capabilities: .plain) == .items([.stored(as: id)], status: 201))
        #expect(try peer.created(.sleep) == ["s": 1])
        #expect(try peer.requests().allSatisfy { $0.encoding == nil })
    }
}
