import HealthSyncDomain
import Testing

@testable import HealthSyncOutboxHTTP

@Suite("Ids that a server gives to sleep sessions")
struct SessionIDsTests {
    private func named(
        _ body: String, _ verdicts: [ItemVerdict] = [.delivered], members: [[String]] = [["a"]]
    ) -> BatchVerdict {
        SessionIDs(Array(body.utf8)).naming(.items(verdicts, status: 200), members: members)
    }

    @Test(
        "The id of a single session is session_id or data.id",
        arguments: [
            #"{"success":true,"session_id":"x1","data":{"id":"x2"}}"#, #"{"success":true,"data":{"id":"x1"}}"#,
            #"{"session_id":null,"data":{"id":"x1"}}"#, #"{"session_id":{},"data":{"id":"x1"},"sessions":7}"#,
        ])
    func single(body: String) {
        #expect(named(body) == .items([.stored(as: "x1")], status: 200))
    }

    @Test("A number is an id, too")
    func number() {
        #expect(named(#"{"data":{"id":4711}}"#) == .items([.stored(as: "4711")], status: 200))
    }

    @Test(
        "Anything else is no id",
        arguments: [
            "", "[]", "{}", #"{"data":null}"#, #"{"data":{"id":""}}"#, #"{"data":{"id":1.5}}"#, #"{"data":{"id":[1]}}"#,
            #"{"session_id":"a\nb"}"#, #"{"session_id":"\#(String(repeating: "x", count: 129))"}"#,
        ])
    func noID(body: String) {
        #expect(named(body) == .items([.delivered], status: 200))
    }

    @Test("The ids of a list belong to sessions by source_id, and only to those that the server has")
    func list() {
        let body = """
            {"success":true,"session_id":"none","sessions":[{"source_id":"b","session_id":"xb"},7,
            {"source_id":"a","session_id":"xa"},{"source_id":"c","session_id":"xc"}]}
            """
        let members = [["a"], ["b"], ["c"], ["d"]]
        let verdicts: [ItemVerdict] = [.delivered, .rejected(reason: "no"), .retry, .delivered]
        // A list with an element of another form is not read at all.
        #expect(named(body, verdicts, members: members) == .items(verdicts, status: 200))
        let valid = body.replacing("7,", with: "")
        #expect(
            named(valid, verdicts, members: members)
                == .items([.stored(as: "xa"), .rejected(reason: "no"), .retry, .delivered], status: 200))
    }

    @Test("A batch that was not processed has no ids")
    func unprocessed() {
        let verdict = BatchVerdict.retryBatch(reason: "down", status: 503)
        #expect(SessionIDs(Array(#"{"session_id":"x"}"#.utf8)).naming(verdict, members: [["a"]]) == verdict)
    }
}
