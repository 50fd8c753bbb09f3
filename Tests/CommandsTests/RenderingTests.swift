import HealthSyncCommands
import HealthSyncDomain
import Testing

@Suite("Rendering")
struct RenderingTests {
    @Test("A table aligns its columns and has no trailing spaces")
    func table() {
        var table = TextTable(heads: [("name", .left), ("count", .right), ("note", .left)])
        table.add("steps", "1,234", "")
        table.add("é", "7", "x")
        #expect(table.lines(indentation: 1) == [" name   count  note", " steps  1,234", " é          7  x"])
    }

    @Test("JSON keeps the order of members and escapes control characters")
    func json() {
        let value: JSONValue = [
            "b": [1, true, nil as Int?, 0.5, 3.0, Double.nan] as JSONValue, "a": [:] as JSONValue,
            "list": [] as [String],
            "text": "a\"b\\c\n\u{1}é😀",
        ]
        #expect(
            JSONText.line(value)
                == #"{"b":[1,true,null,0.5,3,null],"a":{},"list":[],"text":"a\"b\\c\n\u0001é😀"}"#)
        #expect(
            JSONText.document(["a": [1], "b": "x"] as JSONValue) == "{\n  \"a\": [\n    1\n  ],\n  \"b\": \"x\"\n}\n")
    }
}
