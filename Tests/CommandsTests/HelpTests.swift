import HealthSyncCommands
import Testing

@Suite("Help")
struct HelpTests {
    @Test func peek() async {
        print(await CommandHarness().run("help").output)
        print(await CommandHarness().run("help daily").output)
        print(await CommandHarness().run("outbox --help").output)
        print(await CommandHarness().run("help outbox drop").output)
        print(await CommandHarness().run("doctor").output)
        print(await CommandHarness().run("metrics").output)
        print(await CommandHarness().run("metrics --json").output)
    }
}
