extension SyncFailure {
    /// An action of the user that resolves a failure. Commands and pages state it in their own words.
    package enum Action: Sendable, Hashable {
        case listShoes
        case unarchiveShoe
        case chooseDefaultShoe
        case startSession
        case endSession
        case endSessionFirst
        /// Choose the time zone of the days; the zones fit the data, and none may be known.
        case chooseZone(candidates: [String])

        /// The action in words that fit any front end.
        package var text: String {
            switch self {
            case .listShoes: "look at the list of shoes"
            case .unarchiveShoe: "unarchive it"
            case .chooseDefaultShoe: "name one, or choose a default"
            case .startSession: "start a session"
            case .endSession: "end its session"
            case .endSessionFirst: "end its session first"
            case .chooseZone(let candidates):
                "nothing was imported; set your time zone with --zone\(Self.suggestion(candidates)) or as \"zone\" in the "
                    + "configuration"
            }
        }

        /// Returns zones to choose from in words, such as ` (such as Europe/Paris)`; empty for none.
        package static func suggestion(_ zones: [String]) -> String {
            zones.isEmpty ? "" : " (such as \(zones.joined(separator: ", ")))"
        }
    }

    /// Creates a failure of `subject` that `action` resolves.
    package init(_ code: Code, subject: String, reason: String, action: Action) {
        self.init(code, subject: subject, reason: reason, advice: action.text)
        self.action = action
    }
}
