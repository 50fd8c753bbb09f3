import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import Testing

@Suite("Settings")
struct SettingsTests {
    @Test("Without options, variables and file, the defaults apply")
    func defaults() throws {
        let settings = try CommandHarness().settings("daily")
        #expect(settings.configurationFile == nil)
        #expect(settings.dataDirectory == "/home/anna/.local/share/healthsync")
        #expect(settings.databasePath == "/home/anna/.local/share/healthsync/healthsync.sqlite")
        #expect(settings.clock.home.identifier == "Europe/Paris")
        #expect(settings.sources.isEmpty)
        #expect(settings.server == nil)
        #expect(settings.metrics == nil)
        #expect(settings.types == .ofMetrics)
        #expect(settings.lookBackDays == nil)
        #expect(settings.sleepGapMinutes == 60)
        #expect(settings.shoeInactivityHours == 6)
        #expect(settings.limits == Settings.Limits())
        #expect(settings.delivery.concurrency == 3)
    }

    @Test("Options take precedence over variables, and variables over the file")
    func precedence() throws {
        var harness = CommandHarness()
        harness.files = InMemoryFiles([
            "/home/anna/.config/healthsync/config.json": """
            {"zone": "Asia/Tokyo", "dataDirectory": "db", "sources": ["a.zip", "~/b.zip", "/c.zip"],
             "metrics": ["sleep"], "types": ["bodyMass"], "lookBackDays": 3, "server": {"url": "https://file.example"}}
            """
        ])
        var settings = try harness.settings("daily")
        #expect(settings.clock.home.identifier == "Asia/Tokyo")
        #expect(settings.dataDirectory == "/home/anna/.config/healthsync/db")
        #expect(settings.sources == ["/home/anna/.config/healthsync/a.zip", "/home/anna/b.zip", "/c.zip"])
        #expect(settings.metrics == ["sleep"])
        #expect(settings.types == .named(["bodyMass"]))
        #expect(settings.lookBackDays == 3)
        #expect(settings.server?.url == "https://file.example")
        harness.variables.merge(
            [
                "HEALTHSYNC_ZONE": "Asia/Kolkata", "HEALTHSYNC_DATA_DIR": "env", "HEALTHSYNC_SOURCE": "d.zip:/e.zip",
                "HEALTHSYNC_METRICS": "steps", "HEALTHSYNC_TYPES": "all", "HEALTHSYNC_LOOK_BACK_DAYS": "4",
                "HEALTHSYNC_SERVER": "https://env.example", "HEALTHSYNC_TOKEN": "secret",
            ]
        ) { $1 }
        settings = try harness.settings("daily")
        #expect(settings.clock.home.identifier == "Asia/Kolkata")
        #expect(settings.dataDirectory == "/work/env")
        #expect(settings.sources == ["/work/d.zip", "/e.zip"])
        #expect(settings.metrics == ["steps"])
        #expect(settings.types == .all)
        #expect(settings.lookBackDays == 4)
        #expect(settings.server == Settings.Server(url: "https://env.example", token: "secret"))
        settings = try harness.settings(
            "daily --zone UTC --data-dir ./opt/ --source x --source ~/y --metrics steps,sleep --types bodyMass --days 5 "
                + "--server http://localhost:8080")
        #expect(settings.clock.home.identifier == "UTC")
        #expect(settings.dataDirectory == "/work/opt")
        #expect(settings.sources == ["/work/x", "/home/anna/y"])
        #expect(settings.metrics == ["steps", "sleep"])
        #expect(settings.types == .named(["bodyMass"]))
        #expect(settings.lookBackDays == 5)
        #expect(settings.server?.url == "http://localhost:8080")
    }

    @Test(
        "The level of the log is that of the option, else of --verbose or --quiet, else of the variable, else of the file",
        arguments: [
            ("daily", nil, "", .info), ("daily", nil, "warning", .warning), ("daily", "error", "warning", .error),
            ("daily --verbose", "error", "warning", .debug), ("daily -q", nil, "info", .error),
            ("daily -q --log-level debug", "error", "", .debug), ("daily -v --log-level warning", nil, "", .warning),
        ] as [(String, String?, String, LogLevel)])
    func logLevel(line: String, variable: String?, file: String, expected: LogLevel) throws {
        var harness = CommandHarness()
        harness.variables["HEALTHSYNC_LOG_LEVEL"] = variable
        if !file.isEmpty { harness.files = InMemoryFiles(["/c.json": #"{"logLevel": "\#(file)"}"#]) }
        #expect(try harness.settings(file.isEmpty ? line : line + " --config /c.json").logLevel == expected)
    }

    @Test("A URL of a known scheme stays as it is written; any other text is a path if there is such a file")
    func sourceURLs() throws {
        var harness = CommandHarness()
        harness.files = InMemoryFiles(["/work/old:2024.zip": "x"])
        harness.factory.sourceSchemes = ["csv"]
        let words = "daily --source csv:a/../b.csv --source CSV://h/x --source old:2024.zip --source c:d"
        #expect(
            try harness.settings(words).sources == [
                "csv:a/../b.csv", "CSV://h/x", "/work/old:2024.zip", "/work/c:d",
            ])
        #expect(try harness.settings("daily --source ftp://host/a.zip").sources == ["ftp://host/a.zip"])
        harness.variables["HEALTHSYNC_SOURCE"] = "a.zip:csv:/b.csv:/c.zip"
        #expect(try harness.settings("daily").sources == ["/work/a.zip", "csv:/b.csv", "/c.zip"])
    }

    @Test("Folders follow the XDG variables; relative paths are ignored")
    func xdg() throws {
        var harness = CommandHarness()
        harness.variables["XDG_DATA_HOME"] = "/data"
        #expect(try harness.settings("daily").dataDirectory == "/data/healthsync")
        harness.variables["XDG_DATA_HOME"] = "data"
        #expect(try harness.settings("daily").dataDirectory == "/home/anna/.local/share/healthsync")
        harness.variables["XDG_CONFIG_HOME"] = "/etc/anna"
        harness.files = InMemoryFiles(["/etc/anna/healthsync/config.json": #"{"lookBackDays": 1}"#])
        #expect(try harness.settings("daily").lookBackDays == 1)
        harness.variables = ["TZ": "UTC"]
        let failure = #expect(throws: SyncFailure.self) { try harness.settings("daily") }
        #expect(failure?.subject == "HOME")
    }

    @Test("The configuration contains zone changes")
    func travel() throws {
        var harness = CommandHarness()
        harness.files = InMemoryFiles([
            "/c.json": #"{"timeZones": [{"from": "2023-07-01", "zone": "Asia/Tokyo"}]}"#
        ])
        let clock = try harness.settings("daily --config /c.json").clock
        let day = try #require(CalendarDay("2023-07-01"))
        #expect(clock.rules(on: day).identifier == "Asia/Tokyo")
        #expect(clock.rules(on: day.advanced(by: -1)).identifier == "Europe/Paris")
    }

    @Test(
        "An error names its origin",
        arguments: [
            (
                "daily --zone Mars/Base", [:],
                "--zone: unknown time zone \"Mars/Base\"; use an IANA name such as Europe/Paris", .usage
            ),
            (
                "daily --zone london", [:],
                "--zone: unknown time zone \"london\"; did you mean Europe/London?", .usage
            ),
            (
                "daily", ["HEALTHSYNC_ZONE": "CET-1"],
                "HEALTHSYNC_ZONE: unknown time zone \"CET-1\"; use an IANA name such as Europe/Paris", .configuration
            ),
            (
                "daily --server example.org", [:],
                "--server: no sender accepts \"example.org\"; use https://example.org", .usage
            ),
            (
                "daily --server localhost:8000", [:],
                "--server: no sender accepts \"localhost:8000\"; use http://localhost:8000", .usage
            ),
            (
                "daily --server ftp://example.org", [:],
                "--server: no sender accepts \"ftp://example.org\"; use https://host", .usage
            ),
            (
                "daily --server https://anna:pw@example.org/x", [:],
                "--server: the URL contains a name or password; put the token into a file: --token-file FILE", .usage
            ),
            ("daily --config /none.json", [:], "--config: no such file: /none.json; check the path", .usage),
            (
                "daily", ["HEALTHSYNC_CONFIG": "none.json"],
                "HEALTHSYNC_CONFIG: no such file: /work/none.json; check the path", .configuration
            ),
            (
                "daily", ["HEALTHSYNC_LOOK_BACK_DAYS": "x"],
                "HEALTHSYNC_LOOK_BACK_DAYS: \"x\" is not a whole number from 0 to 3650; change or unset the variable",
                .configuration
            ),
            (
                "daily", ["HEALTHSYNC_LOG_LEVEL": "loud"],
                "HEALTHSYNC_LOG_LEVEL: unknown level \"loud\"; use debug, info, warning, error", .configuration
            ),
            (
                "daily --log-level all", [:],
                "--log-level: unknown level \"all\"; use debug, info, warning, error", .usage
            ),
            (
                "daily", ["HEALTHSYNC_USER_PROFILE_ID": "anna"],
                "HEALTHSYNC_USER_PROFILE_ID: invalid UUID \"anna\"; remove it to have one generated at first use",
                .configuration
            ),
            (
                "daily --server https://a.example --token-file none", [:],
                "--token-file: no such file: /work/none; write the token into that file, or name another file", .usage
            ),
        ] as [(String, [String: String], String, SyncFailure.Code)])
    func mistakes(line: String, variables: [String: String], expected: String, code: SyncFailure.Code) {
        var harness = CommandHarness()
        harness.variables.merge(variables) { $1 }
        let failure = #expect(throws: SyncFailure.self) { try harness.settings(line) }
        #expect(failure?.description == expected)
        #expect(failure?.code == code)
    }

    @Test(
        "An invalid value in the configuration file is reported with line and column",
        arguments: [
            ("{\n \"zone\": \"Mars\"}", "/c.json:2:10: zone: unknown time zone \"Mars\""),
            (
                "{\"timeZones\": [\n{\"zone\": \"Mars\", \"from\": \"2024-01-01\"}]}",
                "/c.json:2:10: timeZones[0].zone: unknown time zone \"Mars\""
            ),
            ("{\"server\":\n\n{\"url\": \"x\"}}", "/c.json:3:9: server.url: no sender accepts \"x\""),
            ("{\"userProfileID\": \"x\"}", "/c.json:1:19: userProfileID: invalid UUID \"x\""),
        ])
    func locations(text: String, expected: String) {
        var harness = CommandHarness()
        harness.files = InMemoryFiles(["/c.json": text])
        let failure = #expect(throws: SyncFailure.self) { try harness.settings("daily --config /c.json") }
        #expect(failure.map { "\($0.subject): \($0.reason)" } == expected)
        #expect(failure?.code == .configuration)
    }

    @Test(
        "An unknown metric or type is reported with its location",
        arguments: [
            (#"{"metrics": ["sleep", "stepz"]}"#, #"/c.json:1:23: metrics[1]: no such metric: "stepz""#),
            (#"{"types": ["stepCuont"]}"#, #"/c.json:1:12: types[0]: no such sample type: "stepCuont""#),
            (#"{"raw": ["stepCuont"]}"#, #"/c.json:1:10: raw[0]: no such sample type: "stepCuont""#),
        ])
    func names(text: String, expected: String) async {
        var harness = CommandHarness()
        harness.files = InMemoryFiles(["/c.json": text])
        let outcome = await harness.run("daily --config /c.json")
        #expect(outcome.status == .configuration)
        #expect(outcome.errors.contains { $0.contains(expected) }, "\(outcome.errors)")
        let overridden = await harness.run("daily --config /c.json --metrics stepz --types stepCuont --raw stepCuont")
        #expect(overridden.status == .usage)
    }

    @Test("An unknown system zone is an error and not UTC")
    func systemZone() {
        var harness = CommandHarness()
        harness.time = FixedTime(zone: "Mars/Base")
        let failure = #expect(throws: SyncFailure.self) { try harness.settings("daily") }
        #expect(failure?.code == .configuration)
        #expect(failure?.subject == "the system's zone")
    }

    @Test("The token is read from a file that other users cannot read")
    func token() throws {
        var harness = CommandHarness()
        let line = "daily --server https://a.example --token-file /token"
        harness.files = InMemoryFiles(["/token": " hs_abc123\n"])
        #expect(try harness.settings(line).server?.token == "hs_abc123")
        harness.variables["HEALTHSYNC_TOKEN"] = "other"
        #expect(try harness.settings(line).server?.token == "hs_abc123")
        #expect(try harness.settings("daily --server https://a.example").server?.token == "other")
        #expect("\(Settings.Server(url: "https://a.example", token: "hidden"))".contains("hidden") == false)
        harness.files = InMemoryFiles(["/token": "hs_abc123"], permissions: 0o640)
        let failure = #expect(throws: SyncFailure.self) { try harness.settings(line) }
        #expect(failure?.description == "/token: other users can read this token file; run: chmod 600 /token")
        for text in ["", "two words", "caf\u{e9}", "a\nb"] {
            harness.files = InMemoryFiles(["/token": text])
            #expect(throws: SyncFailure.self, "\(text)") { try harness.settings(line) }
        }
    }
}
