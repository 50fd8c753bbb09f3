import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Configuration file")
struct ConfigurationTests {
    /// Returns the settings of a configuration file with the content `text`.
    private func settings(_ text: String) throws(SyncFailure) -> Settings {
        var harness = CommandHarness()
        harness.files = InMemoryFiles(["/c/config.json": text, "/c/token": "secret", "/c/posts": "other"])
        return try harness.settings("daily --config /c/config.json")
    }

    private func read(_ text: String) throws(SyncFailure) {
        _ = try ConfigurationFile(Array(text.utf8), path: "config.json")
    }

    @Test("All keys are read")
    func complete() throws {
        let settings = try settings(
            """
            {"$schema": "x", "sources": ["a.zip", "b"], "dataDirectory": "/data", "zone": "Europe/Paris",
             "timeZones": [{"from": "2023-07-01", "zone": "Asia/Tokyo"}],
             "server": {"url": "https://example.org", "tokenFile": "token"}, "metrics": ["steps"], "types": "all",
             "raw": ["heartRate"], "layering": {"stepsPerInterval": 5000, "samplesPerInterval": 100},
             "originPriority": ["Anna’s Apple Watch"], "userProfileID": "41DDE194-6FA4-46AC-B4CC-45FCED1BA3E5",
             "lookBackDays": 10, "sleep": {"gapMinutes": 45}, "heartRate": {"holdMinutes": 7},
             "shoes": {"inactivityHours": 8}, "inbox": {"days": 4, "bytes": 3000000000, "server": "http://h.example", "tokenFile": "posts"},
             "limits": {"decompressedBytes": 9000000000, "requestsInFlight": 2, "requestTimeoutSeconds": 5,
                        "lockWaitSeconds": 0}, "logLevel": "debug"}
            """)
        let home = try FixedTime().zoneRules(named: "Europe/Paris")
        let tokyo = DayClock.Residence(
            firstDay: try #require(CalendarDay("2023-07-01")), rules: try FixedTime().zoneRules(named: "Asia/Tokyo"))
        var expected = Settings(
            dataDirectory: "/data", clock: DayClock(home: home, residences: [tokyo]), isZoneConfigured: true)
        expected.configurationFile = "/c/config.json"
        expected.sources = ["/c/a.zip", "/c/b"]
        expected.server = Settings.Server(url: "https://example.org", token: "secret")
        expected.metrics = ["steps"]
        expected.types = .all
        expected.rawTypes = ["heartRate"]
        expected.locationsOfNames = [
            "steps": "/c/config.json:3:78: metrics[0]", "all": "/c/config.json:3:97: types",
            "heartRate": "/c/config.json:4:10: raw[0]",
        ]
        expected.layering.steps = 5_000
        expected.layering.samples = 100
        expected.originPriority = OriginPriority(preferredNames: ["Anna’s Apple Watch"])
        expected.userProfileID = UUID(uuidString: "41DDE194-6FA4-46AC-B4CC-45FCED1BA3E5")
        expected.lookBackDays = 10
        expected.sleepGapMinutes = 45
        expected.heartRateHoldMinutes = 7
        expected.shoeInactivityHours = 8
        expected.inbox.days = 4
        expected.inbox.bytes = 3_000_000_000
        expected.inboxServer = Settings.Server(url: "http://h.example", token: "other")
        expected.delivery.concurrency = 2
        expected.delivery.requestTimeoutMilliseconds = 5_000
        expected.delivery.patienceMilliseconds = 60_000
        expected.limits.decompressedBytes = 9_000_000_000
        expected.limits.lockWaitSeconds = 0
        expected.logLevel = .debug
        #expect(settings == expected)
    }

    @Test("Without keys, the defaults apply")
    func empty() throws {
        let defaults = try CommandHarness().settings("daily")
        var settings = try settings("{}")
        settings.configurationFile = nil
        #expect(settings == defaults)
    }

    @Test(
        "An error names the file, the key and a remedy",
        arguments: [
            (#"{"sorces": []}"#, #"config.json:1:2: sorces: no such key; did you mean "sources"?"#),
            (
                #"{"server": {"adress": 1}}"#,
                "config.json:1:13: server.adress: no such key; valid keys are url, tokenFile"
            ),
            (#"{"zone": 3}"#, "config.json:1:10: zone: must be text, not a number; see docs/configuration.md"),
            (#"{"zone": ""}"#, "config.json:1:10: zone: empty value; set a value or remove the key"),
            (#"{"sources": "a"}"#, "config.json:1:13: sources: must be a list, not text; see docs/configuration.md"),
            (
                #"{"sources": ["a", true]}"#,
                "config.json:1:19: sources[1]: must be text, not true or false; see docs/configuration.md"
            ),
            (#"{"lookBackDays": 1.5}"#, "config.json:1:18: lookBackDays: must be a whole number; remove the fraction"),
            (
                #"{"shoes": {"inactivityHours": 0}}"#,
                "config.json:1:31: shoes.inactivityHours: 0 is out of range; use a whole number from 1 to 72"
            ),
            (
                #"{"lookBackDays": -1}"#,
                "config.json:1:18: lookBackDays: -1 is out of range; use a whole number from 0 to 3650"
            ),
            (
                #"{"timeZones": [{"from": "2024-02-30", "zone": "UTC"}]}"#,
                #"config.json:1:25: timeZones[0].from: invalid date "2024-02-30"; write a calendar day as YYYY-MM-DD"#
            ),
            (
                #"{"timeZones": [{"from": "2024-02-01"}]}"#,
                #"config.json:1:16: timeZones[0]: "from" or "zone" is missing; add both keys"#
            ),
            (
                #"{"zone": "UTC", "zon\u0065": "Asia/Tokyo"}"#,
                "config.json:1:17: zone: duplicate key; remove one of them"
            ),
            (
                #"{"types": ["{\"zone\",", "\\"], "server": {"url": "a\\", "x": {"url": 1}, "url": "b"}}"#,
                "config.json:1:75: server.url: duplicate key; remove one of them"
            ),
            (
                #"{"timeZones": [{"from": "2024-01-01", "zone": "UTC"}, {"zone": "UTC", "zone": "UTC"}]}"#,
                "config.json:1:71: timeZones[1].zone: duplicate key; remove one of them"
            ),
            (
                #"{"timeZones": [{"from": "2024-02-01", "zone": "UTC"}, {"from": "2024-02-01", "zone": "UTC"}]}"#,
                "config.json:1:64: timeZones[1].from: duplicate day 2024-02-01; name one zone for each day"
            ),
            (
                #"{"types": "some"}"#,
                #"config.json:1:11: types: must be "all" or a list of types; write "all" or ["some"]"#
            ),
            (#"{"sleep": null}"#, "config.json:1:11: sleep: must be an object, not null; see docs/configuration.md"),
            ("[]", "config.json:1:1: must be an object, not a list; see docs/configuration.md"),
        ])
    func mistakes(text: String, expected: String) {
        let failure = #expect(throws: SyncFailure.self) { try read(text) }
        #expect(failure?.description == expected)
        #expect(failure?.code == .configuration)
    }

    @Test(
        "A JSON syntax error names line, column, reason and remedy",
        arguments: [
            ("", "1:1: invalid JSON: empty file; write {} or remove the file"),
            ("\n  {", "2:4: invalid JSON: unexpected end; expected a key; complete the document"),
            (
                "{\n  \"zone\": \"UTC\"\n  \"metrics\": []\n}",
                "3:3: invalid JSON: expected \",\" or \"}\"; put a comma between two values"
            ),
            ("{\"raw\": [\"a\",\r\n]}", "1:13: invalid JSON: trailing comma before \"]\"; remove the comma"),
            ("{\r\"ä😀\": 1,}", "2:8: invalid JSON: trailing comma before \"}\"; remove the comma"),
            (
                "{// mine\n}",
                "1:2: invalid JSON: JSON has no comments; remove the comment"
            ),
            (
                "{zone: 1}",
                "1:2: invalid JSON: expected a key; put keys into quotation marks \"…\""
            ),
            (
                "{“zone”: 1}",
                "1:2: invalid JSON: expected a key, not “; use plain quotation marks \"…\""
            ),
            ("{\"zone\" 1}", "1:9: invalid JSON: expected \":\"; put a colon after the key"),
            (
                "{\"zone\": }",
                "1:10: invalid JSON: expected a value; put text into quotation marks \"…\""
            ),
            ("{\"zone\": True}", "1:10: invalid JSON: unknown value \"True\"; did you mean true?"),
            (
                "{\"zone\": \"Europe\n\"}",
                "1:10: invalid JSON: unterminated string; add the closing quotation mark on the same line"
            ),
            (
                #"{"dataDirectory": "C:\data"}"#,
                #"1:22: invalid JSON: unknown escape; write a backslash as \\"#
            ),
            (
                "{\"lookBackDays\": 07}",
                "1:18: invalid JSON: invalid number \"07\"; write it as 12 or 0.5, or put text into quotation marks"
            ),
            ("{} x", "1:4: invalid JSON: expected the end; remove what follows"),
        ])
    func malformed(text: String, expected: String) {
        let failure = #expect(throws: SyncFailure.self) { try read(text) }
        #expect(failure?.description == "config.json:\(expected)")
    }

    @Test("A file in another encoding is an error; a byte order mark is skipped")
    func encodings() throws {
        let failure = #expect(throws: SyncFailure.self) {
            try ConfigurationFile(Array("{\"zone\":\n \"".utf8) + [0xFC, 0x22, 0x7D], path: "c")
        }
        #expect(failure?.description == "c:2:3: invalid JSON: not UTF-8; save the file as UTF-8")
        let marked = [0xEF, 0xBB, 0xBF] + Array("{\"zoen\": 1}".utf8)
        let unknownKey = #expect(throws: SyncFailure.self) { try ConfigurationFile(marked, path: "c") }
        #expect(unknownKey?.subject == "c:1:2: zoen")
    }

    @Test("Escapes are resolved, and the nesting depth is limited")
    func texts() throws {
        let text = #"{"zone": "\u00e9\ud83d\ude00\n\"\\\/", "lookBackDays": 1e1}"#
        let zone = #expect(throws: SyncFailure.self) { try settings(text) }
        #expect(zone?.reason == "unknown time zone \"é😀\n\"\\/\"")
        #expect(try settings(#"{"lookBackDays": 1e1}"#).lookBackDays == 10)
        let deep = String(repeating: "[", count: 100_000)
        let failure = #expect(throws: SyncFailure.self) { try read("{\"raw\": \(deep)") }
        #expect(failure?.reason.contains("nested too deeply") == true)
    }

    @Test("The published schema has exactly the keys that are read")
    func schema() throws {
        let data = try Data(contentsOf: ProjectFile.url("docs/configuration.schema.json"))
        let schema = try JSONSerialization.jsonObject(with: data)
        let ofStays = ["timeZones.from", "timeZones.zone"]
        #expect(
            try keys(of: schema).sorted() == (Setting.all.map(\.key).filter { $0 != "timeZones" } + ofStays).sorted())
    }

    /// Returns the paths of all keys that are not objects.
    private func keys(of schema: Any?) throws -> [String] {
        let object = try #require(schema as? [String: Any])
        #expect(object["additionalProperties"] as? Bool == false)
        return try #require(object["properties"] as? [String: Any]).flatMap { name, value in
            let value = try #require(value as? [String: Any])
            let inner = value["items"] as? [String: Any] ?? value
            return inner["properties"] == nil ? [name] : try keys(of: inner).map { "\(name).\($0)" }
        }
    }

    @Test("docs/configuration.md lists every setting with its key, option and variable")
    func page() throws {
        let rows = try ProjectFile.text("docs/configuration.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let listed = rows.map { $0.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: .whitespaces) } }
        let expected = Setting.all.filter { $0.key != "$schema" }.map { setting in
            [
                "`\(setting.key)`",
                [setting.option.map { "`--\($0)`" }, setting.variable.map { "`\($0)`" }].compactMap { $0 }
                    .joined(separator: ", "),
            ]
        }
        #expect(listed == expected)
    }
}
