extension SyncFailure {
    /// An action of the user that resolves a failure. Commands and pages state it in their own words.
    package enum Action: Sendable, Hashable {
        case listShoes
        case unarchiveShoe
        case chooseDefaultShoe
        case startSession
        case endSession
        case endSessionFirst

        /// The action in words that fit any front end.
        var text: String {
            switch self {
            case .listShoes: "look at the list of shoes"
            case .unarchiveShoe: "unarchive it"
            case .chooseDefaultShoe: "name one, or choose a default"
            case .startSession: "start a session"
            case .endSession: "end its session"
            case .endSessionFirst: "end its session first"
            }
        }
    }

    /// Creates a failure of `subject` that `action` resolves.
    package init(_ code: Code, subject: String, reason: String, action: Action) {
        self.init(code, subject: subject, reason: reason, advice: action.text)
        self.action = action
    }
}
