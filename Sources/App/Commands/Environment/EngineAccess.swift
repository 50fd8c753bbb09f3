import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// Opens the engine with given settings.
struct EngineAccess {
    let environment: CommandEnvironment
    let settings: Settings
    /// Whether a run that derives all days in another zone may also derive stored metrics that are not selected.
    let derivesRecorded: Bool
    let log: any EventLog
    let progress: any ProgressReporter

    /// Runs `body` with an open engine and closes it afterwards.
    func use<Result: Sendable>(
        _ access: EngineRequest.Access, _ body: (OpenEngine) async throws -> Result
    ) async throws -> Result {
        let choice = try MetricChoice(settings: settings, factory: environment.factory)
        var engineSettings = choice.engineSettings(settings)
        if derivesRecorded {
            engineSettings.handlerForStoredMetric = MetricChoice.handlerForStoredMetric(
                settings, factory: environment.factory)
        }
        let open = try await environment.factory.openEngine(
            EngineRequest(
                settings: settings, userProfile: UserProfile(environment: environment),
                engineSettings: engineSettings, access: access, log: log, progress: progress))
        do {
            let result = try await body(open)
            await open.close()
            return result
        } catch {
            await open.close()
            throw error
        }
    }
}
