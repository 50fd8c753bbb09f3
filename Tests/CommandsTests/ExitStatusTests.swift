import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestTools
import Testing

@Suite("Exit status")
struct ExitStatusTests {
    @Test(
        "Every failure code maps to an exit status",
        arguments: [
            (.usage, 64), (.badInput, 65), (.incompleteInput, 65), (.tooManyDeletions, 65), (.noInput, 66),
            (.unexpected, 70), (.cannotCreate, 73), (.storage, 74), (.busy, 75), (.configuration, 78),
            (.noUserProfileID, 78), (.deliveryIncomplete, 3), (.cancelled, 130),
            (SyncFailure.Code(rawValue: "pluginsOwn"), 1),
        ] as [(SyncFailure.Code, Int32)])
    func numbers(code: SyncFailure.Code, expected: Int32) {
        #expect(ExitStatus(of: SyncFailure(code, subject: "", reason: "", advice: "")).rawValue == expected)
    }

    @Test("Of several statuses the most severe one is returned")
    func mostSevere() {
        #expect(ExitStatus.mostSevere([]) == .done)
        #expect(ExitStatus.mostSevere([.done, .partial]) == .partial)
        #expect(ExitStatus.mostSevere([.partial, .badInput, .done]) == .badInput)
        #expect(ExitStatus.mostSevere([.badInput, .metricFailed]) == .metricFailed)
        #expect(ExitStatus.mostSevere([.metricFailed, .interrupted]) == .interrupted)
    }

    @Test("Conflicting handlers end every command except help with status 78")
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

    @Test("A failing command prints one line to standard error and exits with the status of its failure")
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
        harness.files = InMemoryFiles(["/home/anna/.local/share/healthsync/healthsync.sqlite": ""])
        harness.factory.openEngine = { _ in throw CancellationError() }
        outcome = await harness.run("reset-tracking")
        #expect(outcome.status == .interrupted)
        #expect(
            outcome.errors == [
                "healthsync: interrupted; completed work is kept; run the same command again to continue"
            ])
        harness.factory.openEngine = { _ in throw CocoaError(.featureUnsupported) }
        #expect(await harness.run("reset-tracking").status == .unexpected)
    }

    @Test("Every exit status is documented")
    func documented() throws {
        let page = try ProjectFile.text("docs/command-line.md")
        for status in ExitStatus.allCases {
            #expect(page.contains("| \(status.rawValue) | \(status.meaning) |"))
        }
    }
}
