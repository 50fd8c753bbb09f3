/// The log of a run. It never contains health values or tokens.
///
/// Contract: may be called from any thread; events of one thread keep their order. It never fails: events that cannot
/// be written are dropped, so that a run never fails because of its log.
public protocol EventLog: Sendable {
    /// Logs one event; a detail only in verbose mode.
    func note(_ event: String, isDetail: Bool)
}
