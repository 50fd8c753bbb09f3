import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Untrusted text")
struct HostileTextTests {
    /// Text with a color, a line feed, a carriage return, a right-to-left override, a C1 control, a line separator and a
    /// bell.
    private static let hostile = "odd\u{1B}[38;5;9m\nhealthsync: forged\rover\u{202E}\u{9B}2J\u{2028}\u{7}\u{7F}end"
    private static let forbidden: Set<Unicode.Scalar> = [
        "\u{1B}", "\r", "\u{202E}", "\u{9B}", "\u{2028}", "\u{7}", "\u{7F}",
    ]

    /// A command line for each command, with hostile text wherever it is possible.
    private static let lines: [[String]] = [
        ["historical", "--source", hostile], ["daily", "--source", hostile], ["status"],
        ["outbox", "list"], ["outbox", "show", "1"], ["outbox", "retry", "1"], ["outbox", "drop", "1"],
        ["outbox", "forget", hostile, "--yes"],
        ["intervals"], ["verify"], ["pause"], ["push"], ["resume"], ["summary"], ["summary", "2024-01-15"],
        ["sleep", "--all"], ["steps", "--origins"], ["steps", "today", "--origins"], ["heart"], ["metric", hostile],
        ["metric", "steps", "--origins"],
        ["shoes", "add", hostile, hostile + "2", "--colour", hostile, "--emoji", hostile],
        ["shoes", "add", "Br", hostile],
        ["shoes", "list"], ["shoes", "show", hostile], ["shoes", "default", hostile], ["shoes", "edit", hostile],
        ["shoes", "start", hostile], ["shoes", "stop"], ["shoes", "toggle"], ["shoes", "check"],
        ["shoes", "assign", hostile, "--day", "today", "--hours", "9"],
        ["shoes", "unassign", "--day", "today", "--hours", hostile], ["journal"], ["journal", hostile],
        ["shoes", "archive", hostile], ["shoes", "unarchive", hostile], ["shoes", "delete", hostile],
        ["watch", "--listen", hostile], ["watch", "--source", hostile], ["import", "inbox", "--since", hostile],
        ["watch", "--pull", hostile], ["pull", "--server", hostile], ["pull"],
        ["inspect", hostile], ["metrics"], ["metrics", "--metrics", hostile], ["export", "--out", hostile + ".csv"],
        ["generate", "--out", hostile + ".zip"], ["reset-tracking", "--metric", hostile], ["doctor", "--online"],
        ["dashboard", hostile], ["dashboard"], ["serve", "--listen", hostile], ["serve"],
        ["serve", "--store", hostile],
        ["token", "create", "--user", hostile], ["token", "create"], ["token", "create", "--out", hostile],
        ["token", "list"], ["token", "revoke", hostile],
        ["pair", hostile], ["pair", "phone", "--app", hostile], ["device", "list"], ["device", "revoke", hostile],
        ["device", "confirm", hostile],
        ["pair", "phone", "--user", hostile], ["pair", "phone", "--user", "anna", "--address", hostile],
        ["device", "list", "--user", hostile], ["serve", "--inbox", hostile],
        ["inbox", "list"], ["inbox", "show", hostile], ["inbox", "retry", hostile],
        ["backup", hostile], ["backup", "-"], ["restore", hostile, "--store", hostile],
        ["init", "--yes", "--source", hostile], ["init", "--yes", "--zone", hostile], ["service", "install", hostile],
        ["service", "status"], ["service", "remove", hostile], ["backup", "folder/", "--keep", hostile],
        ["plugin", "new", hostile, hostile], ["plugin", "new", "metric", "a", "--package", hostile],
        ["completion", hostile], ["completion", "bash"], ["man", hostile], ["man"],
        ["clear", "--remote"], ["help", hostile], ["version"], [hostile], ["steps", "--\(hostile)"],
    ]

    @Test("No command prints control characters, neither in results nor in errors")
    func everyCommand() async throws {
        let paths = CommandTable.declarations.map(\.path)
        #expect(paths.filter { path in !Self.lines.contains { $0.starts(with: path) } } == [])
        // On a terminal without colors every escape character comes from the data.
        for width in [nil, 100] {
            var world = Self.world()
            world.harness.terminalWidth = width
            world.harness.confirmation = true
            var shown = 0
            for words in Self.lines {
                let outcome = await world.harness.run(words: words)
                Self.check(outcome, words)
                if outcome.output.contains("forged") { shown += 1 }
            }
            // The text is escaped and not omitted.
            #expect(shown > 10)
        }
    }

    @Test("JSON contains no control characters")
    func json() async {
        let world = Self.world()
        for words in Self.lines { Self.check(await world.harness.run(words: words + ["--json"]), words) }
        #expect(JSONText.line(.string("\u{9B}\u{202E}\u{2028}\u{1B}é")) == #""\u009b\u202e\u2028\u001bé""#)
    }

    @Test("Color codes in untrusted text are escaped, also in colored lines")
    func colors() async throws {
        var world = Self.world()
        _ = await world.harness.run(words: ["historical", "--source", "x"])
        world.harness.terminalWidth = 100
        world.harness.variables["NO_COLOR"] = nil
        for words in [
            ["sleep", "--all"], ["steps", "--origins"], ["steps", "today", "--origins"], ["journal"], ["summary"],
        ] {
            let outcome = await world.harness.run(words: words)
            #expect(outcome.status == .done)
            #expect(!outcome.output.contains("\u{1B}[38;5;9m"), "\(words)")
        }
    }

    @Test("A confirmation prompt contains no control characters")
    func question() async {
        let asked = Collected()
        var world = Self.world()
        world.harness.asked = { asked.add($0) }
        world.harness.confirmation = false
        let outcome = await world.harness.run(words: ["clear", "--remote"])
        #expect(outcome.errors == ["healthsync: clear: nothing was changed; answer y or add --yes to confirm"])
        #expect(asked.all.count == 1)
        #expect(asked.all.allSatisfy { $0.contains("forged") && !$0.contains { $0.isNewline } })
    }

    private static func check(_ outcome: CommandHarness.Outcome, _ words: [String]) {
        for text in [outcome.output] + outcome.errors {
            let found = text.unicodeScalars.filter { forbidden.contains($0) }
            #expect(found.isEmpty, "\(words): \(text)")
            let lines = text.split(separator: "\n")
            #expect(!lines.contains { $0.hasPrefix("healthsync: forged") }, "\(words): \(text)")
        }
    }

    /// Returns a world whose stores, files and server contain hostile text.
    private static func world() -> StoredWorld {
        var source = ListSource(location: "/work/\(hostile)", provider: hostile)
        source.rejected = [hostile: 2]
        source.skippedElements = [hostile: 3]
        source.problem = hostile
        source.sourceName = hostile
        var world = StoredWorld(source: source, verdict: .rejected(reason: hostile))
        let folder = "/data \(hostile)"
        world.harness.files = InMemoryFiles([folder + "/healthsync.sqlite": ""])
        world.harness.variables["HEALTHSYNC_DATA_DIR"] = folder
        world.harness.variables["HEALTHSYNC_SERVER"] = "https://example.org/\(hostile)"
        world.harness.variables["HEALTHSYNC_\(hostile)"] = "1"
        world.harness.variables["NO_COLOR"] = "1"
        world.harness.factory.sources = { [source] path, _ in
            FoundSources(
                [source], unread: [UnreadExport(path: path, exportDate: nil, reason: hostile, advice: hostile)])
        }
        world.harness.factory.checkDatabase = { _ in [CheckFinding(.error, hostile, hostile, advice: hostile)] }
        world.harness.factory.checkServer = { _ in CheckFinding(.error, "server", hostile) }
        return world
    }
}
