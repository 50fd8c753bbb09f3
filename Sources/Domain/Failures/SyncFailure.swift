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
