import HealthSyncCommands
import HealthSyncDomain
import Testing

@Suite("Parsing")
struct ParserTests {
    private let parser = CommandLineParser(commands: CommandTable.declarations)

    @Test(
        "Options may be anywhere, with a space or an equals sign",
        arguments: [
            "daily --days 3 --zone UTC --force", "--zone UTC daily --force --days=3",
            "--zone=UTC --force daily --days 3",
        ])
    func optionsAnywhere(line: String) throws {
        let parsed = try parser.parse(line.split(separator: " ").map(String.init))
        #expect(parsed.path == ["daily"])
        #expect(parsed.values == ["days": ["3"], "zone": ["UTC"], "force": [""]])
        #expect(parsed.arguments.isEmpty)
    }

    @Test("A repeatable option keeps all values in order")
    func repeats() throws {
        let parsed = try parser.parse(["daily", "--source", "a", "--source=b=c", "--source", "-"])
        #expect(parsed.texts("source") == ["a", "b=c", "-"])
    }

    @Test("Two dashes end the options, and the words of a group are not its arguments")
    func endOfOptions() throws {
        #expect(try parser.parse(["inspect", "--", "--odd"]).arguments == ["--odd"])
        let parsed = try parser.parse(["outbox", "--quiet", "retry", "3", "retry"])
        #expect(parsed.path == ["outbox", "retry"])
        #expect(parsed.arguments == ["3", "retry"])
    }

    @Test("Letters are short forms of options")
    func letters() throws {
        #expect(try parser.parse(["status", "-q"]).has("quiet"))
        #expect(try parser.parse(["status", "-h"]).has("help"))
    }

    @Test(
        "An error names the word and suggests a correction",
        arguments: [
            ("dayly", "dayly: no such command; did you mean `daily`?"),
            ("frobnicate", "frobnicate: no such command; see `healthsync help`"),
            (
                "outbox",
                "outbox: incomplete command; add one of list, show, retry, drop, forget; see `healthsync help outbox`"
            ),
            ("outbox lst", "outbox lst: no such command; did you mean `outbox list`?"),
            ("daily --dyas 3", "--dyas: no such option; did you mean --days?"),
            ("daily --sorce x", "--sorce: no such option; did you mean --source?"),
            ("daily --zzzzzz", "--zzzzzz: no such option; see `healthsync help daily`"),
            ("status --days 3", "--days: not an option of `status`; see `healthsync help status`"),
            ("export --type stepCount", "--type: not an option of `export`; did you mean --types?"),
            ("daily --force=yes", "--force: takes no value; write --force alone"),
            (
                "daily --zone --force",
                "--zone: missing value; write --zone ZONE, or --zone=VALUE for a value that begins with dashes"
            ),
            (
                "daily --days",
                "--days: missing value; write --days N, or --days=VALUE for a value that begins with dashes"
            ),
            ("daily --zone=", "--zone: empty value; write --zone ZONE"),
            ("daily --zone UTC --zone UTC", "--zone: repeated option; give it once"),
            ("status now", "status: unexpected argument \"now\"; usage: healthsync status [OPTIONS]"),
            ("inspect", "inspect: missing SOURCE; usage: healthsync inspect SOURCE [OPTIONS]"),
            ("daily -x", "-x: no such option; long options begin with two dashes; see `healthsync help daily`"),
            (
                "daily --token secret",
                "--token: no such option, because other users can see command lines; "
                    + "use --token-file or the variable HEALTHSYNC_TOKEN"
            ),
        ])
    func mistakes(line: String, expected: String) {
        let failure = #expect(throws: SyncFailure.self) {
            try parser.parse(line.split(separator: " ").map(String.init))
        }
        #expect(failure?.description == expected)
        #expect(failure?.code == .usage)
    }

    @Test(
        "Values are checked",
        arguments: [
            ("--days", "0", nil), ("--days", "3650", nil),
            ("--days", "3651", "--days: invalid number \"3651\"; use a whole number from 0 to 3650"),
            ("--days", "-1", "--days: invalid number \"-1\"; use a whole number from 0 to 3650"),
            ("--days", "7.0", "--days: invalid number \"7.0\"; use a whole number from 0 to 3650"),
        ] as [(String, String, String?)])
    func numbers(option: String, value: String, expected: String?) throws {
        let parsed = try parser.parse(["daily", option, value])
        do {
            _ = try parsed.integer("days", in: 0...3_650)
            #expect(expected == nil)
        } catch {
            #expect(error.description == expected)
        }
    }

    @Test(
        "--from and --to are calendar days in order",
        arguments: [
            ("2024-02-30", "2024-03-01", "--from: invalid date \"2024-02-30\"; write a calendar day as YYYY-MM-DD"),
            ("2024-3-1", "2024-03-01", "--from: invalid date \"2024-3-1\"; write a calendar day as YYYY-MM-DD"),
            (
                "2024-03-02", "2024-03-01",
                "--from: 2024-03-02 is after --to 2024-03-01; give the earlier day as --from"
            ),
            ("2024-03-01", "2024-03-01", nil),
        ] as [(String, String, String?)])
    func days(from: String, to: String, expected: String?) throws {
        let parsed = try parser.parse(["historical", "--from", from, "--to", to])
        do {
            let days = try parsed.days(from: "from", to: "to")
            #expect(expected == nil)
            #expect(days.first == days.last)
        } catch {
            #expect(error.description == expected)
        }
    }

    @Test("Names are split at commas")
    func names() throws {
        #expect(try parser.parse(["daily", "--metrics", "steps, sleep"]).names("metrics") == ["steps", "sleep"])
        let parsed = try parser.parse(["daily", "--metrics", "steps,,sleep"])
        #expect(throws: SyncFailure.self) { try parsed.names("metrics") }
    }

    @Test(
        "A suggestion differs in at most a third of the word",
        arguments: [
            ("histroical", "historical"), ("sttus", "status"), ("HELP", "help"), ("x", nil), ("generator", "generate"),
            ("metrcs", "metrics"), ("banana", nil),
        ] as [(String, String?)])
    func suggestions(typed: String, expected: String?) {
        let names = CommandTable.declarations.map(\.name)
        #expect(Suggestion.nearest(to: typed, among: names) == expected)
    }

    @Test(
        "Options of the same name all take a value or all take none, so that parsing does not depend on the command"
    )
    func consistentOptions() {
        let options =
            GlobalOptions.all
            + CommandTable.declarations.flatMap(\.options)
        for (name, group) in Dictionary(grouping: options, by: \.name) {
            #expect(Set(group.map { $0.valueName == nil }).count == 1, "\(name)")
        }
        for command in CommandTable.declarations {
            let names = (GlobalOptions.all + command.options).map(\.name)
            #expect(Set(names).count == names.count, "\(command.name)")
        }
    }
}
