/// What a run says about itself while it runs. Never holds health values or tokens.
///
/// Contract: may be called from any thread; events of one thread keep their order. It never fails: what cannot be written
/// is dropped, because no run ends for its log.
public protocol EventLog: Sendable {
    /// Notes one event; `detail` only where the user asked for more.
    func note(_ event: String, isDetail: Bool)
}
