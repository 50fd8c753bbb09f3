/// What is shown when an action is done.
enum ActionOutcome: Sendable {
    /// The page at this address.
    case seeOther(String)
    /// This, which no address shows: it is seen once.
    case page(name: String, [Markup])
}
