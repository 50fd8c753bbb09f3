import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import Testing

@Suite("inbox")
struct InboxCommandTests {
    private let harness = CommandHarness()

    @Test("An empty inbox has no posts")
    func empty() async {
        #expect(await harness.run("inbox list").output == "no posts; 0 waiting, 0 decoded, 0 undecoded\n")
        #expect(await harness.run("inbox retry").output == "0 posts wait to be decoded\n")
    }

    @Test("Posts are listed with device, sender, size, state and reason, but without health values")
    func list() async throws {
        let ids = try await fill()
        let text = await harness.run("inbox list").output
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(lines[1].hasPrefix(ids[2]) && lines[1].contains("waiting"))
        #expect(lines[2].contains("Health Auto Export") && lines[2].contains("not JSON"))
        #expect(lines[3].contains("2023-11-14 23:13") && lines[3].contains("anna") && lines[3].contains("Hozz"))
        #expect(lines[4] == "1 waiting, 1 decoded, 1 undecoded")
        #expect(!text.contains("72"))
        #expect(await harness.run("inbox list --state decoded").output.contains(ids[0]))
        #expect(!(await harness.run("inbox list --state decoded").output).contains(ids[1]))
        #expect(await harness.run("inbox list --limit 1").output.contains(ids[2]))
        #expect(!(await harness.run("inbox list --limit 1").output).contains(ids[1]))
        #expect(await harness.run("inbox list --state lost").status == .usage)
        let json = await harness.run("inbox list --json").output
        #expect(json.contains("\"sender\": \"Hozz\""))
        #expect(json.contains("\"undecoded\": 1"))
        #expect(!json.contains("72"))
    }

    @Test("A post is shown with its outcome, but without its path, query and body")
    func show() async throws {
        let ids = try await fill()
        for form in ["", " --json"] {
            let text = await harness.run("inbox show \(ids[0])\(form)").output
            #expect(text.contains("Hozz"))
            #expect(text.contains("x-hozz-device"))
            #expect(!text.contains("72"))
        }
        #expect(await harness.run("inbox show none").status == .noInput)
        #expect(await harness.run("inbox show").status == .usage)
    }

    @Test("Undecoded posts, or those that are named, wait again")
    func retry() async throws {
        let ids = try await fill()
        #expect(await harness.run("inbox retry").output == "1 post waits to be decoded\n")
        #expect(try await archive().waiting(limit: 9) == [ids[1], ids[2]])
        #expect(await harness.run("inbox retry \(ids[0]) \(ids[1])").output == "2 posts wait to be decoded\n")
        #expect(try await archive().waiting(limit: 9) == ids)
        #expect(await harness.run("inbox retry none").status == .noInput)
    }

    private func archive() throws -> any InboxArchive {
        harness.factory.inbox.archive(try harness.settings("inbox list"))
    }

    /// Archives a decoded post, an undecoded one and a waiting one, which contain the number 72.
    private func fill() async throws -> [String] {
        let archive = try archive()
        var ids: [String] = []
        for number in 0..<3 as Range<Int64> {
            let head = InboxHead(
                method: "POST", path: ["bpm", "72"], query: ["v72": "72"],
                headers: [.init("x-hozz-device", "72"), .init("content-type", "application/json")], device: "anna",
                receivedAt: Instant(seconds: 1_700_000_000 + 60 * number))
            let writer = try archive.begin(head)
            try Array("{\"bpm\":72}".utf8).withUnsafeBytes { try writer.append($0) }
            ids.append(try await writer.commit())
        }
        let time = Instant(seconds: 1_700_000_300)
        try await archive.settle(ids[0], as: InboxOutcome(sender: "Hozz", decodedAt: time))
        try await archive.settle(
            ids[1], as: InboxOutcome(sender: "Health Auto Export", reason: "not JSON", decodedAt: time))
        return ids
    }
}
