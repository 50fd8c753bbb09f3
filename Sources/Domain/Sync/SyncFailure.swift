/// A failure as a person meets it: what it is about, why, and what to do.
public struct SyncFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure. Open: a plug-in may bring its own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, in lower camel case.
        public let rawValue: String
        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind.
    public let code: Code
    /// The file, option, metric or address it is about.
    public let subject: String
    /// Why it failed, as a clause without a full stop. Never holds a health value or a token.
    public let reason: String
    /// What to do about it.
    public let advice: String

    /// A failure of `subject`.
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
    /// A run through the library without a user profile id.
    public static let noUserProfileID = Self(rawValue: "noUserProfileID")
    /// An option, argument or combination that makes no sense.
    public static let usage = Self(rawValue: "usage")
    /// A configuration that makes no sense.
    public static let configuration = Self(rawValue: "configuration")
    /// A file that is not there or may not be read.
    public static let noInput = Self(rawValue: "noInput")
    /// A file that is not what it should be: no export, an empty, encrypted or dangerous archive.
    public static let badInput = Self(rawValue: "badInput")
    /// A file that ends too early; everything before its end was used.
    public static let incompleteInput = Self(rawValue: "incompleteInput")
    /// A snapshot that would delete more than may be deleted unasked.
    public static let tooManyDeletions = Self(rawValue: "tooManyDeletions")
    /// A file or folder that cannot be made.
    public static let cannotCreate = Self(rawValue: "cannotCreate")
    /// The own database or disk failed.
    public static let storage = Self(rawValue: "storage")
    /// Another run holds the lock.
    public static let busy = Self(rawValue: "busy")
    /// Delivery did not come to its end; the rest waits in the outbox.
    public static let deliveryIncomplete = Self(rawValue: "deliveryIncomplete")
    /// A server did not answer, or refused to; nothing waits because of it.
    public static let serverUnavailable = Self(rawValue: "serverUnavailable")
    /// A server that answers no digests, or whose answers contradict each other.
    public static let unverifiable = Self(rawValue: "unverifiable")
    /// Cancelled by the user.
    public static let cancelled = Self(rawValue: "cancelled")
    /// A mistake of the program's own.
    public static let unexpected = Self(rawValue: "unexpected")
}
