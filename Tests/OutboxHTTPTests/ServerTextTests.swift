import Testing

@testable import HealthSyncOutboxHTTP

/// The server's own words about a rejection.
@Suite("The text of a server")
struct ServerTextTests {
    @Test(
        "The usual forms of an error are read",
        arguments: [
            (#"{"error":{"message":"quantity is too large"}}"#, "quantity is too large"),
            (#"{"error":{"code":7,"type":"x","message":"no"}}"#, "no"),
            (#"{"title":"Bad","detail":"no such day","status":422}"#, "Bad: no such day"),
            (#"{"error":"invalid","message":"no unit"}"#, "invalid: no unit"),
            (#"{"detail":[{"loc":["body",3],"msg":"value is missing"},{"msg":"second"}]}"#, "value is missing"),
            (#"{"errors":[{"title":"a"}]}"#, "a"), (#""just text""#, "just text"),
            (#"{"error":{"error":{"error":{"message":"deep"}}}}"#, "deep"),
        ])
    func forms(body: String, text: String) {
        #expect(ServerText.explanation(Array(body.utf8)) == text)
    }

    @Test(
        "A body without a text explains nothing",
        arguments: ["", "{", "{}", "[]", "null", "7", #"{"error":null}"#, #"{"error":{"code":7}}"#, #"{"message":""}"#])
    func nothing(body: String) { #expect(ServerText.explanation(Array(body.utf8)) == nil) }

    @Test("A body that is not JSON counts if it is a text and no page")
    func plain() {
        #expect(ServerText.plain(Array("  no such hour\n".utf8)) == "no such hour")
        for page in ["<html>no</html>", " \n<p>", "{bad", "[bad", "\"bad", "", " \n"] {
            #expect(ServerText.plain(Array(page.utf8)) == nil)
        }
        #expect(ServerText.plain([0x61, 0xFF]) == nil)
    }

    @Test("The text is one line of at most so many scalars, without controls")
    func line() {
        let text = ServerText.line("a\n\u{1b}[31mb\u{9b}c\u{202e}d\u{2028}e", first: 20)
        #expect(text == "a  [31mb c d e")
        #expect(ServerText.line(String(repeating: "x", count: 1_000)).count == 200)
    }
}
