/// All commands by the task of the user that they serve, in the order of help.
package enum CommandTable {
    private static let groups: [(name: String, commands: [any Command.Type])] = [
        (
            "Getting started",
            [
                InitCommand.self, InspectCommand.self, ImportCommand.self, HistoricalCommand.self, SummaryCommand.self,
                DashboardCommand.self, DoctorCommand.self, GenerateCommand.self,
            ]
        ),
        (
            "Every day",
            [
                DailyCommand.self, WatchCommand.self, StatusCommand.self, SleepCommand.self, StepsCommand.self,
                HeartCommand.self, MetricCommand.self, MetricsCommand.self, ExportCommand.self,
                ServiceInstallCommand.self, ServiceStatusCommand.self, ServiceRemoveCommand.self,
            ]
        ),
        (
            "Shoes",
            [
                JournalCommand.self, ShoesAddCommand.self, ShoesEditCommand.self, ShoesListCommand.self,
                ShoesShowCommand.self, ShoesDefaultCommand.self, ShoesArchiveCommand.self, ShoesUnarchiveCommand.self,
                ShoesDeleteCommand.self, ShoesStartCommand.self, ShoesStopCommand.self, ShoesToggleCommand.self,
                ShoesCheckCommand.self, ShoesAssignCommand.self, ShoesUnassignCommand.self,
            ]
        ),
        (
            "Delivery to a server",
            [
                PushCommand.self, PauseCommand.self, ResumeCommand.self, VerifyCommand.self, OutboxListCommand.self,
                OutboxShowCommand.self, OutboxRetryCommand.self, OutboxDropCommand.self, OutboxForgetCommand.self,
                IntervalsCommand.self, ClearCommand.self,
            ]
        ),
        (
            "Phones",
            [
                PairCommand.self, DeviceListCommand.self, DeviceConfirmCommand.self, DeviceRevokeCommand.self,
                PullCommand.self, ImportInboxCommand.self, InboxListCommand.self, InboxShowCommand.self,
                InboxRetryCommand.self,
            ]
        ),
        (
            "Running a server",
            [ServeCommand.self, TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self]
        ),
        (
            "Maintenance",
            [
                BackupCommand.self, RestoreCommand.self, ResetTrackingCommand.self, PlugInNewCommand.self,
                CompletionCommand.self, ManCommand.self, HelpCommand.self, VersionCommand.self,
            ]
        ),
    ]

    static let all: [any Command.Type] = groups.flatMap(\.commands)

    /// The declarations of all commands.
    package static let declarations: [CommandDeclaration] = groups.flatMap { name, commands in
        commands.map { command in
            var declaration = command.declaration
            declaration.group = name
            return declaration
        }
    }
}
