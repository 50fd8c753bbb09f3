import HealthSyncDomain
import HealthSyncPorts

/// The question of `init` whether to configure the stays in other zones that the records state.
struct StaysQuestion {
    let context: CommandContext
    let proposed: ProposedStays

    /// Returns whether the user wants the stays. An empty answer means yes. With `--yes` nobody sees the stays, so they are not
    /// configured.
    ///
    /// - Throws: `.usage` if standard input is not a terminal.
    func answer() async throws -> Bool {
        if context.parsed.has("yes") {
            context.warn("the records state \(proposed.count); `healthsync doctor` proposes them for the configuration")
            return false
        }
        for stay in proposed.stays {
            context.environment.errorLine(UntrustedText.escaped("  from \(stay.firstDay) \(stay.zone)"))
        }
        let prompt = UntrustedText.escaped("The records state \(proposed.count). Count their days by them? [yes]: ")
        while true {
            let line = try await BlockingWork.run("healthsync.question") { [environment = context.environment] _ in
                environment.ask(prompt)
            }
            guard let line else {
                throw SyncFailure.usage(
                    "init", "no answer to the question for stays, because standard input is not a terminal",
                    advice: "add --yes to configure no stays")
            }
            switch line.withoutOuterSpaces.lowercased() {
            case "", "y", "yes": return true
            case "n", "no": return false
            default: context.environment.errorLine("healthsync: answer yes or no")
            }
        }
    }
}
