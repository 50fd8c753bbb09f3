import HealthSyncDomain

extension SyncFailure {
    /// The failure with its action as a command.
    var forCommandLine: SyncFailure {
        guard let action else { return self }
        return SyncFailure(code, subject: subject, reason: reason, advice: action.command)
    }
}

extension SyncFailure.Action {
    fileprivate var command: String {
        switch self {
        case .listShoes: "see `healthsync shoes list`"
        case .unarchiveShoe: "restore it with `healthsync shoes unarchive SHOE`"
        case .chooseDefaultShoe: "name one, or choose a default with `healthsync shoes default SHOE`"
        case .startSession: "start one with `healthsync shoes start SHOE`"
        case .endSession: "end it with `healthsync shoes stop`"
        case .endSessionFirst: "end it with `healthsync shoes stop` first"
        case .chooseZone(let candidates):
            "nothing was imported; add your time zone with `--zone ZONE --save`\(Self.suggestion(candidates)), or state it as "
                + "\"zone\" in the configuration"
        }
    }
}
