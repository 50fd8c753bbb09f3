import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestTools
import Testing

@Suite("Exit status")
struct ExitStatusTests {
    @Test(
        "Every kind of failure has its number",
        arguments: [
            (.usage, 64), (.badInput, 65), (.incompleteInput, 65), (.tooManyDeletions, 65), (.noInput, 66),
            (.unexpected, 70), (.cannotCreate, 73), (.storage, 74), (.busy, 75), (.configuration, 78),
            (.noUserProfileID, 78), (.deliveryIncomplete, 3), (.cancelled, 130),
            (SyncFailure.Code(rawValue: "pluginsOwn"), 1),
        ] as [(SyncFailure.Code, Int32)])
    func numbers(code: SyncFailure.Code, expected: Int32) {
        #expect(ExitStatus(of: SyncFailure(code, subject: "", reason: "", advice: "")).rawValue == expected)
    }

    @Test("Of several ends the gravest is told")
    func gravest() {
        #expect(ExitStatus.gravest([]) == .done)
        #expect(ExitStatus.gravest([.done, .partial]) == .partial)
        #expect(ExitStatus.gravest([.partial, .badInput, .done]) == .badInput)
        #expect(ExitStatus.gravest([.badInput, .metricFailed]) == .metricFailed)
        #expect(ExitStatus.gravest([.metricFailed, .interrupted]) == .interrupted)
    }

    @Test("Handlers that contradict the built-in types end every command with 78, and help is still given")
    func contradiction() async {
        var harness = CommandHarness()
        let type = SampleTypeDefinition(SampleTypeDefinition.stepCount.type, .cumulative, unit: "kcount")
        do {
            _ = try TypeDefinitions([TypeDefinitions.Author(name: "the handler \"hikes\"", definitions: [type])])
        } catch {
            harness.startFailure = error
        }
        for line in ["status", "daily", "metrics", "export --out a.csv"] {
            let outcome = await harness.run(line)
            #expect(outcome.status == .configuration)
            #expect(
                outcome.errors == [
                    "healthsync: HKQuantityTypeIdentifierStepCount: the handler \"hikes\" defines it as cumulative, in "
                        + "\"kcount\", the built-in table as cumulative, in \"count\"; use the same definition in both"
                ])
        }
        for line in ["help", "--help", "--version"] { #expect(await harness.run(line).status == .done) }
    }

    @Test("A failing command ends with the number of its failure and one line on standard error")
    func ends() async {
        var harness = CommandHarness()
        var outcome = await harness.run("daily --source none.zip")
        #expect(outcome.status == .noInput)
        #expect(outcome.errors == ["healthsync: /work/none.zip: no such file; check the path"])
        #expect(outcome.output.isEmpty)
        outcome = await harness.run("daily --source none.zip --json")
        #expect(
            outcome.errors == [
                #"{"error":{"code":"noInput","subject":"/work/none.zip","reason":"no such file","advice":"check the path","#
                    + #""exitStatus":66}}"#
            ])
        outcome = await harness.run("--json")
        #expect(outcome.status == .usage)
        #expect(outcome.errors.count == 1 && outcome.errors.allSatisfy { $0.hasPrefix(#"{"error":{"code":"usage""#) })
        harness.factory.openEngine = { _ in throw CancellationError() }
        outcome = await harness.run("reset-tracking")
        #expect(outcome.status == .interrupted)
        #expect(
            outcome.errors == [
                "healthsync: interrupted; what was done until then is kept; run the same command again to go on"
            ])
        harness.factory.openEngine = { _ in throw CocoaError(.featureUnsupported) }
        #expect(await harness.run("reset-tracking").status == .unexpected)
    }

    @Test("Every number is in the documentation")
    func documented() throws {
        let page = try ProjectFile.text("docs/command-line.md")
        for status in ExitStatus.allCases {
            #expect(page.contains("| \(status.rawValue) | \(status.meaning) |"))
        }
    }
}
