import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// Imports the posts that wait in the local inbox, after fetching those that wait on a server, for commands that run
/// once.
struct InboxIntake {
    let context: CommandContext
    let settings: Settings
    let factory: WatchFactory

    /// Returns the intake of a program with an inbox; `nil` if the user has none, neither here nor on a server.
    init?(context: CommandContext, settings: Settings) async throws {
        guard let factory = context.environment.factory.watching else { return nil }
        self.context = context
        self.settings = settings
        self.factory = factory
        let hasArchive = try await context.environment.status(of: InboxState.folder(of: settings)) != nil
        guard hasArchive || settings.inboxServer != nil else { return nil }
    }

    /// Pulls from `server`, if there is one, and imports the waiting posts. An import that fails throws; a pull that fails
    /// is reported by the result, because the posts that are here can be imported.
    func run(pullingFrom server: Settings.Server?) async throws -> InboxIntakeView {
        var view = InboxIntakeView()
        if let server, let pulling = context.environment.factory.pulling {
            view.pulled = try await InboxPull(
                server: pulling.server(server, settings), archive: pulling.archive(settings)
            ).run()
        }
        let archive = context.environment.factory.inbox.archive(settings)
        let runs = WatchRuns(context: context, settings: settings, factory: factory)
        while let report = try await runs.importPosts(archive) { view.imported.add(report) }
        return view
    }
}
