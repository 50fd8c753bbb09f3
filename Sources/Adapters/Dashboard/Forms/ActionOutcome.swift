/// The response after an action.
enum ActionOutcome: Sendable {
    /// A redirect to this address.
    case seeOther(String)
    /// A page without an address of its own, which is shown once.
    case page(name: String, [Markup])
}
