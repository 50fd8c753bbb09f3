import HealthSyncCommands
import HealthSyncDomain
import Testing

@Suite("The name of the program")
struct ProgramNameTests {
    private static var harness: CommandHarness {
        var harness = CommandHarness()
        harness.programName = "my-health"
        return harness
    }

    @Test("A plug-in's program names itself in errors, warnings and remedies")
    func messages() async {
        let harness = Self.harness
        #expect(await harness.run("dialy").errors.first == "my-health: dialy: no such command; did you mean `daily`?")
        let missing = await harness.run("summary")
        #expect(missing.errors.first?.hasPrefix("my-health: ") == true)
        #expect(missing.errors.first?.contains("run `my-health import FILE` first") == true)
        let usage = await harness.run("shoes show")
        #expect(usage.errors.first?.contains("usage: my-health shoes show SHOE...") == true, "\(usage.errors)")
        let json = await harness.run("summary --json")
        #expect(json.errors.first?.contains("run `my-health import") == true)
    }

    @Test("Its help, examples and completions contain only its name")
    func help() async {
        let harness = Self.harness
        for line in ["help", "help outbox", "help shoes assign", "completion bash", "completion fish"] {
            let output = await harness.run(line).output
            #expect(output.contains("my-health"), "\(line)")
            let lines = output.split(separator: "\n").filter {
                $0.contains("healthsync") && !$0.contains("/healthsync")
            }
            #expect(lines.isEmpty, "\(line): \(lines)")
        }
        #expect(await harness.run("help status --json").output.contains("\"usage\": \"my-health status [OPTIONS]\""))
    }
}
