import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import Testing

@testable import HealthSyncCommands

@Suite("Settings of plug-ins")
struct PlugInSettingsTests {
    private static let goal = HandlerSetting("goal", .wholeNumber(1...9_000, default: 70), "Steps of a good day")
    private static let quiet = HandlerSetting("isQuiet", .flag(default: false), "Whether nothing is said")
    private static let mode = HandlerSetting("mode", .choice(["fast", "slow"], default: "slow"), "How it works")

    private static let handler: FixedHandler = {
        var handler = FixedHandler(metric: HealthMetric(rawValue: "walks"), reads: [.stepCount])
        handler.settings = [goal, quiet, mode, .sleepGapMinutes]
        return handler
    }()

    private func harness(_ configuration: String, handlers: [FixedHandler] = [handler]) -> CommandHarness {
        var harness = CommandHarness()
        harness.files = InMemoryFiles(["/home/anna/.config/healthsync/config.json": configuration])
        harness.factory.plugInHandlers = handlers
        harness.factory.handlers = { _ in handlers }
        return harness
    }

    private func values(_ configuration: String) throws -> HandlerSettings {
        let harness = harness(configuration)
        let choice = try MetricChoice(settings: harness.settings("daily"), factory: harness.factory)
        let engine = choice.engineSettings(try harness.settings("daily"))
        return try #require(engine.handlerSettings[Self.handler.metric])
    }

    @Test(
        "Values that the configuration does not state are the defaults, and settings of the program are those of the program"
    )
    func stated() throws {
        let none = try values("{}")
        #expect(none.number(Self.goal) == 70 && !none.flag(Self.quiet) && none.text(Self.mode) == "slow")
        #expect(none.number(.sleepGapMinutes) == SleepSessionBuilder.standardGapMinutes)
        let some = try values(
            #"{"plugins": {"walks": {"goal": 9000, "isQuiet": true, "mode": "fast"}}, "sleep": {"gapMinutes": 17}}"#)
        #expect(some.number(Self.goal) == 9_000 && some.flag(Self.quiet) && some.text(Self.mode) == "fast")
        #expect(some.number(.sleepGapMinutes) == 17)
    }

    @Test(
        "Errors state the place, the key and the remedy",
        arguments: [
            (#"{"plugins": {"walk": {}}}"#, #"config.json:1:14: plugins.walk: no such key; did you mean "walks"?"#),
            (#"{"plugins": {"walks": {"gaol": 1}}}"#, #"1:24: plugins.walks.gaol: no such key; did you mean "goal"?"#),
            (#"{"plugins": {"walks": {"sleepGapMinutes": 1}}}"#, "plugins.walks.sleepGapMinutes: no such key"),
            (#"{"plugins": {"walks": {"goal": 0}}}"#, "goal: 0 is out of range; use a whole number from 1 to 9000"),
            (#"{"plugins": {"walks": {"goal": 9001}}}"#, "goal: 9001 is out of range"),
            (#"{"plugins": {"walks": {"goal": "x"}}}"#, "goal: must be a whole number, not text"),
            (#"{"plugins": {"walks": {"isQuiet": 1}}}"#, "isQuiet: must be true or false, not a number"),
            (#"{"plugins": {"walks": {"mode": "warp"}}}"#, #"mode: "warp" is not one of its values; use fast, slow"#),
            (#"{"plugins": {"walks": 1}}"#, "plugins.walks: must be an object"),
            (#"{"plugins": []}"#, "plugins: must be an object"),
            (#"{"plugins": {"walks": {}, "walks": {}}}"#, "plugins.walks: duplicate key"),
        ])
    func errors(configuration: String, text: String) async {
        let outcome = await harness(configuration).run("metrics")
        #expect(outcome.status == .configuration)
        #expect(outcome.errors.joined().contains(text), "\(outcome.errors)")
    }

    @Test("A program without such a plug-in rejects its settings")
    func missing() async {
        let outcome = await harness(#"{"plugins": {"walks": {}}}"#, handlers: []).run("metrics")
        #expect(outcome.status == .configuration)
        #expect(
            outcome.errors.joined().contains(
                "plugins.walks: no such key; no metric of this program has settings"))
    }

    @Test("metrics lists settings with their values")
    func listed() async {
        let harness = harness(#"{"plugins": {"walks": {"goal": 8000}}, "sleep": {"gapMinutes": 17}}"#)
        let lines = await harness.run("metrics").output.split(separator: "\n").map(String.init)
        for (key, value) in [
            ("plugins.walks.goal", "8000"), ("plugins.walks.mode", "slow"), ("sleep.gapMinutes", "17"),
        ] {
            let line = lines.first { $0.hasPrefix(key) } ?? ""
            #expect(line.split(separator: " ").dropFirst().first.map(String.init) == value)
        }
        let json = await harness.run("metrics --json").output
        let members = [
            #""key": "plugins.walks.goal""#, #""value": 8000"#, #""default": 70"#, #""summary": "Steps of a good day""#,
        ]
        for member in members { #expect(json.contains(member)) }
    }
}
