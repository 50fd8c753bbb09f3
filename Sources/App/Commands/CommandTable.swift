/// All commands, in the order of help.
package enum CommandTable {
    static let all: [any Command.Type] = [
        DailyCommand.self, HistoricalCommand.self, WatchCommand.self, ImportInboxCommand.self,
        PullCommand.self,
        PushCommand.self, PauseCommand.self, ResumeCommand.self,
        IntervalsCommand.self, ClearCommand.self, VerifyCommand.self, StatusCommand.self, SummaryCommand.self,
        SleepCommand.self, StepsCommand.self, HeartCommand.self, MetricCommand.self, JournalCommand.self,
        ShoesAddCommand.self,
        ShoesEditCommand.self, ShoesListCommand.self, ShoesShowCommand.self, ShoesDefaultCommand.self,
        ShoesArchiveCommand.self, ShoesUnarchiveCommand.self, ShoesDeleteCommand.self, ShoesStartCommand.self,
        ShoesStopCommand.self, ShoesToggleCommand.self, ShoesCheckCommand.self, ShoesAssignCommand.self,
        ShoesUnassignCommand.self,
        InspectCommand.self, MetricsCommand.self, ExportCommand.self, GenerateCommand.self, OutboxListCommand.self,
        OutboxShowCommand.self, OutboxRetryCommand.self, OutboxDropCommand.self, ResetTrackingCommand.self,
        BackupCommand.self, RestoreCommand.self, DoctorCommand.self, DashboardCommand.self, ServeCommand.self,
        TokenCreateCommand.self, TokenListCommand.self,
        TokenRevokeCommand.self, PairCommand.self, DeviceListCommand.self, DeviceRevokeCommand.self,
        InboxListCommand.self, InboxShowCommand.self, InboxRetryCommand.self, CompletionCommand.self,
        ManCommand.self, HelpCommand.self, VersionCommand.self,
    ]

    /// The declarations of all commands.
    package static var declarations: [CommandDeclaration] { all.map { $0.declaration } }
}
