package import HealthSyncDomain
import HealthSyncPorts

/// Records a sync that could not begin, for example because a source does not exist.
package struct UnstartedSync: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Records a run over `scope` that failed because of `error`.
    package func run(_ scope: RunScope, because error: any Error) async {
        let days = RunDays(scope, settings: settings, now: ports.time.now()).stated
        _ = try? await RunRecorder(ports: ports).run(scope.command, days: days) { _ in throw error }
    }
}
