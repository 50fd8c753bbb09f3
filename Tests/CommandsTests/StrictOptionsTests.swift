import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import Testing

@Suite("Options and arguments that would do something unexpected")
struct StrictOptionsTests {
    @Test(
        "--source is rejected by commands that read no source", arguments: ["sleep", "steps today", "status", "push"])
    func source(command: String) async {
        let world = StoredWorld()
        _ = await world.run("historical --source list")
        let outcome = await world.run("\(command) --source other.zip")
        #expect(outcome.status == .usage)
        let name = command.split(separator: " ")[0]
        #expect(outcome.errors.first?.hasPrefix("healthsync: --source: `\(name)` reads no source; ") == true)
        #expect(await world.run("historical --source list").status == .done)
    }

    @Test("An empty path is an error, and not the working folder")
    func emptyPath() async {
        let world = StoredWorld()
        let outcome = await world.harness.run(words: ["inspect", ""])
        #expect(outcome.status == .usage)
        #expect(outcome.errors == ["healthsync: SOURCE: empty path; name a file, folder or archive"])
    }

    @Test("A range of thousands of years is limited to the years with records", arguments: ["steps", "heart", "sleep"])
    func range(command: String) async {
        let world = StoredWorld()
        _ = await world.run("historical --source list")
        let grain = command == "sleep" ? "" : " --by year"
        let outcome = await world.run("\(command) --from 0001-01-01 --to 9999-12-31\(grain) --json")
        #expect(outcome.status == .done)
        #expect(outcome.output.contains("2024"))
        #expect(outcome.output.utf8.count < 20_000)
        #expect(!outcome.output.contains("0001") && !outcome.output.contains("9999"))
    }

    @Test("A list in a variable names the variable in errors")
    func variable() async {
        var world = StoredWorld()
        world.harness.variables["HEALTHSYNC_METRICS"] = "foo"
        let outcome = await world.run("historical --source list")
        #expect(outcome.status == .configuration)
        #expect(outcome.errors == ["healthsync: HEALTHSYNC_METRICS: no such metric: \"foo\"; see `healthsync metrics`"])
    }

    @Test("A missing token file stops commands that use the server, and no others")
    func tokenFile() async {
        var world = StoredWorld()
        _ = await world.run("historical --source list")
        world.harness.variables["HEALTHSYNC_SERVER"] = "https://health.example"
        world.harness.variables["HEALTHSYNC_TOKEN_FILE"] = "/none"
        for command in ["status", "summary", "steps", "outbox list", "shoes list", "pause"] {
            #expect(await world.run(command).status == .done, "\(command)")
        }
        for command in ["push", "verify", "daily", "resume"] {
            let outcome = await world.run(command)
            #expect(outcome.status == .configuration)
            #expect(outcome.errors.contains { $0.contains("HEALTHSYNC_TOKEN_FILE: no such file: /none") })
        }
    }

    @Test("A mistyped data folder is not created by commands that need a database")
    func mistypedFolder() async {
        var world = StoredWorld()
        world.harness.files = InMemoryFiles()
        let commands = [
            ("daily", ExitStatus.noInput), ("historical", .noInput), ("push --server https://health.example", .noInput),
            ("reset-tracking", .noInput), ("outbox retry --all", .noInput),
            ("clear --local --yes", .noInput), ("verify --repair --server https://health.example", .noInput),
        ]
        for (command, status) in commands {
            #expect(await world.run("\(command) --data-dir typo").status == status, "\(command)")
        }
    }

    @Test("version and --version print the same")
    func version() async {
        let harness = CommandHarness()
        #expect(await harness.run("version").output == "healthsync 1.2.3\n")
        #expect(await harness.run("--version").output == "healthsync 1.2.3\n")
    }

    @Test("--quiet prints nothing for a run that succeeds, and the report of one that does not")
    func quiet() async {
        let world = StoredWorld()
        let outcome = await world.run("historical --source list --quiet")
        #expect(outcome.status == .done)
        #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
        #expect(await world.run("summary --quiet").output.contains("steps"))
        let rejecting = StoredWorld(verdict: .rejected(reason: "no such hour"))
        let failed = await rejecting.run("historical --source list --quiet --server https://health.example")
        #expect(failed.status == .partial)
        #expect(failed.output.contains("rejected"))
    }

    @Test(
        "The states of the outbox have the names that the list shows", arguments: ["waiting", "in-flight", "rejected"])
    func states(word: String) async {
        let world = StoredWorld(verdict: .rejected(reason: "no such hour"))
        _ = await world.run("historical --source list --server https://health.example")
        let outcome = await world.run("outbox list --state \(word)")
        #expect(outcome.status == .done)
        #expect(outcome.output.contains("no such hour") == (word == "rejected"))
        let mistake = await world.run("outbox list --state lost")
        #expect(mistake.errors.first?.contains("waiting, in-flight, rejected") == true)
    }

    @Test("export --out - writes rows to standard output, and the summary to standard error")
    func standardOutput() async {
        var world = StoredWorld()
        _ = await world.run("historical --source list")
        let rows = world.rows
        let paths = Collected()
        world.harness.factory.rowWriter = { _, path, _ in
            paths.add(path)
            return rows
        }
        let outcome = await world.run("export --out -")
        #expect(outcome.status == .done && outcome.output.isEmpty)
        #expect(paths.all == ["/dev/stdout"])
        #expect(outcome.errors.first?.hasSuffix("written to standard output") == true)
        #expect(await world.run("export --out - --format sqlite").status == .usage)
    }

    @Test("token create --out writes the token to a file of the owner and does not show it")
    func tokenOut() async {
        let harness = CommandHarness()
        let outcome = await harness.run("token create --out token")
        #expect(outcome.status == .done)
        let text = harness.files.text("/work/token") ?? ""
        #expect(text.hasSuffix("\n") && text.count > 20)
        #expect(!outcome.output.contains(text.dropLast()) && outcome.errors.isEmpty)
        #expect((try? harness.files.status(of: "/work/token"))??.permissions == 0o600)
        #expect(await harness.run("token create --out token").status == .cannotCreate)
    }

    @Test("clear deletes steps on the server of --server only with --remote")
    func clear() async {
        let world = StoredWorld()
        _ = await world.run("historical --source list --server https://health.example")
        #expect(await world.run("clear --server https://health.example --yes").status == .usage)
        let outcome = await world.run("clear --remote --server https://health.example --yes")
        #expect(outcome.output.contains("all steps on https://health.example deleted"))
    }
}
