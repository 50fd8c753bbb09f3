package import HealthSyncDomain
import HealthSyncPorts

/// A request that was accepted and read completely. API and pages share this context: the target was parsed once, and
/// the caller was authenticated before the body was read.
package struct HTTPRequest: Sendable {
    package let head: RequestHead
    package let caller: Caller
    /// The body as received, possibly compressed.
    package let body: [UInt8]
    /// Lets the server end a wait for which the response takes its time; `nil` if nothing can end it early.
    let wait: ResponseWait?

    package init(head: RequestHead, caller: Caller, body: [UInt8], wait: ResponseWait? = nil) {
        self.head = head
        self.caller = caller
        self.body = body
        self.wait = wait
    }

    /// Maximum size of a form in bytes.
    static let largestForm = ServerLimits.anonymousBody

    /// Returns the fields of an `application/x-www-form-urlencoded` body in their order, or `nil` if the body is too
    /// large or its encoding is invalid.
    func formFields() -> [WebField]? {
        guard body.count <= Self.largestForm, let text = String(validating: body, as: UTF8.self) else { return nil }
        var fields: [WebField] = []
        for pair in text.parts(separatedBy: "&") where !pair.isEmpty {
            let sides = pair.parts(separatedBy: "=", maxSplits: 1)
            guard let name = RequestTarget.decoded(sides[0], plusIsSpace: true),
                let value = sides.count == 2 ? RequestTarget.decoded(sides[1], plusIsSpace: true) : ""
            else { return nil }
            fields.append(WebField(name, value))
        }
        return fields
    }
}

/// The user who makes a request, and what the request may do.
package struct Caller: Hashable, Sendable {
    package var user: UserName
    package var scopes: Set<AccessScope>
    /// Whether the server requires no token.
    package var hasOpenAccess: Bool
    /// The id of the token; `nil` without one.
    package var tokenID: String?

    package init(
        user: UserName, scopes: Set<AccessScope>, tokenID: String? = nil, hasOpenAccess: Bool = false
    ) {
        self.user = user
        self.scopes = scopes
        self.tokenID = tokenID
        self.hasOpenAccess = hasOpenAccess
    }
}
