/// A failure for the user: the subject, the reason and the remedy.
public struct SyncFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure. Open, so that a plug-in can define its own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, in lower camel case.
        public let rawValue: String
        /// Creates the code with that name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the failure.
    public let code: Code
    /// The file, option, metric or address concerned.
    public let subject: String
    /// The reason, as a clause without a full stop. Never contains a health value or a token.
    public let reason: String
    /// The remedy: an action of the user.
    public let advice: String
    /// The remedy as a value, if it has one, which commands state in their own words instead of `advice`.
    package internal(set) var action: Action?

    /// Creates a failure of `subject`.
    public init(_ code: Code, subject: String, reason: String, advice: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.advice = advice
    }

    /// One line: `subject: reason; advice`.
    public var description: String {
        [subject.isEmpty ? reason : "\(subject): \(reason)", advice].filter { !$0.isEmpty }.joined(separator: "; ")
    }
}

extension SyncFailure.Code {
    /// The library was run without a user profile id.
    public static let noUserProfileID = Self(rawValue: "noUserProfileID")
    /// An invalid option, argument or combination.
    public static let usage = Self(rawValue: "usage")
    /// An invalid configuration.
    public static let configuration = Self(rawValue: "configuration")
    /// A file that does not exist or is not readable.
    public static let noInput = Self(rawValue: "noInput")
    /// An unusable file: not an export, or an empty, encrypted or dangerous archive.
    public static let badInput = Self(rawValue: "badInput")
    /// A truncated file. Everything before the truncation was used.
    public static let incompleteInput = Self(rawValue: "incompleteInput")
    /// A snapshot that would delete more samples than is allowed without confirmation.
    public static let tooManyDeletions = Self(rawValue: "tooManyDeletions")
    /// A file or folder that cannot be created.
    public static let cannotCreate = Self(rawValue: "cannotCreate")
    /// The local database or disk failed.
    public static let storage = Self(rawValue: "storage")
    /// The local disk is full.
    public static let diskFull = Self(rawValue: "diskFull")
    /// Another run holds the lock.
    public static let busy = Self(rawValue: "busy")
    /// Delivery is incomplete; the remaining items are still in the outbox.
    public static let deliveryIncomplete = Self(rawValue: "deliveryIncomplete")
    /// A server did not answer, or rejected the request; nothing is queued because of it.
    public static let serverUnavailable = Self(rawValue: "serverUnavailable")
    /// A server that returns no digests, or contradictory ones.
    public static let unverifiable = Self(rawValue: "unverifiable")
    /// Cancelled by the user.
    public static let cancelled = Self(rawValue: "cancelled")
    /// A bug in the program.
    public static let unexpected = Self(rawValue: "unexpected")
}

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

/// The text of an error in the event log.
package enum FailureText {
    /// Returns subject, reason and advice of a `SyncFailure`. Of any other error it returns only the type, because
    /// its text may contain health values.
    package static func of(_ error: any Error) -> String {
        (error as? SyncFailure)?.description ?? "\(type(of: error))"
    }
}

/// Failures common to all writers of files that must not be overwritten.
package enum FileFailure {
    /// A file with that name exists and is not replaced.
    package static func exists(
        _ path: String, advice: String = "use another name or delete the file"
    ) -> SyncFailure {
        SyncFailure(.cannotCreate, subject: path, reason: "already exists", advice: advice)
    }

    /// The file cannot be created, for a reason given by the system.
    package static func cannotCreate(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "cannot be created: \(reason)",
            advice: "check that the folder exists and is writable")
    }
}
