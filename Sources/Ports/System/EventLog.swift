/// What a run says about itself while it runs. Never holds health values or tokens.
public protocol EventLog: Sendable {
    /// Notes one event; `detail` only where the user asked for more.
    func note(_ event: String, isDetail: Bool)
}
