import HealthSyncDomain
import Testing

@testable import HealthSyncCommands

@Suite("plugin new")
struct PlugInCommandTests {
    private static let manifest = """
        name: "MindfulMinutes", .package(name: "healthsync", path: "../.."), "health-with-mindful-minutes",
        .product(name: "HealthSyncPlugin", package: "healthsync")
        """

    private func harness() -> CommandHarness {
        var harness = CommandHarness()
        harness.files = InMemoryFiles([
            "/src/healthsync/Examples/MindfulMinutes/Package.swift": Self.manifest,
            "/src/healthsync/Examples/MindfulMinutes/Sources/MindfulMinutes/MindfulMinutesHandler.swift":
                "struct MindfulMinutesHandler { let metric = \"mindfulMinutes\" }",
            "/src/healthsync/Examples/MindfulMinutes/Tests/MindfulMinutesTests/a.swift": "import MindfulMinutes",
            "/src/healthsync/Examples/MindfulMinutes/Tests/MindfulMinutesTests/b.txt": "no code",
            "/src/healthsync/Examples/MindfulMinutes/sessions.jsonl": "{}",
        ])
        return harness
    }

    @Test("A package is the example under the new name, in its contents and its paths")
    func names() async {
        let harness = harness()
        let outcome = await harness.run("plugin new metric restHours --package /src/healthsync --out /own --json")
        #expect(outcome.status == .done && outcome.errors == [])
        let files = [
            "Package.swift", "Sources/RestHours/RestHoursHandler.swift", "Tests/RestHoursTests/a.swift",
        ]
        for file in files { #expect(outcome.output.contains("\"\(file)\"")) }
        #expect(
            harness.files.text("/own/Sources/RestHours/RestHoursHandler.swift")
                == "struct RestHoursHandler { let metric = \"restHours\" }")
        #expect(harness.files.text("/own/Tests/RestHoursTests/a.swift") == "import RestHours")
        #expect(
            harness.files.text("/own/Package.swift") == """
                name: "RestHours", .package(name: "healthsync", path: "/src/healthsync"), "health-with-resthours",
                .product(name: "HealthSyncPlugin", package: "healthsync")
                """)
        #expect(harness.files.text("/own/Tests/RestHoursTests/b.txt") == nil)
    }

    @Test(
        "With an address, the package depends on that repository at this version",
        arguments: ["", ".git", ".github.sync"])
    func repository(ending: String) async {
        let harness = harness()
        let url = "https://example.org/anna/health\(ending)"
        let outcome = await harness.run(
            "plugin new metric restHours --package /src/healthsync --url \(url) --out /own")
        #expect(outcome.status == .done)
        let manifest = harness.files.text("/own/Package.swift") ?? ""
        #expect(manifest.contains(".package(url: \"\(url)\", from: \"1.2.3\")"))
        #expect(
            manifest.contains(
                ".product(name: \"HealthSyncPlugin\", package: \"\(ending == ".git" ? "health" : "health" + ending)\")")
        )
    }

    @Test(
        "Names that no module can have, unknown kinds, missing sources and existing folders are errors",
        arguments: [
            ("metric RestHours --package /src/healthsync", HealthSyncCommands.ExitStatus.usage, "lower camel case"),
            ("metric rest-hours --package /src/healthsync", .usage, "lower camel case"),
            ("metric \(String(repeating: "a", count: 41)) --package /src/healthsync", .usage, "lower camel case"),
            ("metric default --package /src/healthsync", .usage, "Swift or a system module has this name"),
            ("source testing --package /src/healthsync", .usage, "Swift or a system module has this name"),
            ("thing restHours --package /src/healthsync", .usage, "use metric, source, sender, decoder"),
            ("metric restHours", .usage, "add --package FOLDER"),
            ("metric restHours --package /src", .noInput, "does not contain Examples/MindfulMinutes"),
            ("source restHours --package /src/healthsync", .noInput, "does not contain Examples/CSVSource"),
            ("metric restHours --package /src/healthsync --out /src", .cannotCreate, "already exists"),
        ])
    func errors(words: String, status: HealthSyncCommands.ExitStatus, text: String) async {
        let outcome = await harness().run("plugin new \(words)")
        #expect(outcome.status == status)
        #expect(outcome.errors.joined().contains(text))
    }

    @Test("The name of a metric of this program is taken for a metric, not for a source")
    func takenName() async {
        var harness = harness()
        harness.factory.handlers = { _ in [FixedHandler(metric: HealthMetric(rawValue: "steps"), reads: [])] }
        let taken = await harness.run("plugin new metric steps --package /src/healthsync --out /own")
        #expect(taken.status == .usage && taken.errors.joined().contains("a metric has this name"))
        let source = await harness.run("plugin new source steps --package /src/healthsync --out /own")
        #expect(source.errors.joined().contains("does not contain Examples/CSVSource"))
    }

    @Test("A path and an address are text in the manifest, whatever they contain")
    func hostileText() async {
        var harness = CommandHarness()
        let folder = #"/src/a"b\#("\\")(f())"#
        harness.files = InMemoryFiles([
            folder + "/Examples/MindfulMinutes/Package.swift": Self.manifest,
            folder + "/Examples/MindfulMinutes/Sources/a.swift": "",
            folder + "/Examples/MindfulMinutes/Tests/a.swift": "",
        ])
        let words = ["plugin", "new", "metric", "restHours", "--package", folder, "--out", "/own"]
        #expect(await harness.run(words: words).status == .done)
        #expect(harness.files.text("/own/Package.swift")?.contains(#"path: "/src/a\"b\\(f())")"#) == true)
        let url = words.dropLast() + ["/other", "--url", #"https://h/x", exact: "1"), //"#]
        #expect(await harness.run(words: Array(url)).status == .done)
        #expect(
            harness.files.text("/other/Package.swift")?
                .contains(#".package(url: "https://h/x\", exact: \"1\"), //", from: "1.2.3")"#) == true)
        #expect(await harness.run(words: Array(words.dropLast()) + ["/third", "--url", "a\nb"]).status == .usage)
    }

    @Test("A name may have 40 characters")
    func longestName() async {
        let name = String(repeating: "a", count: 40)
        #expect(await harness().run("plugin new metric \(name) --package /src/healthsync --out /own").status == .done)
    }
}
