/// The message for a unit that does not fit a type.
enum UnitProblem {
    /// Returns one line; the unit, which is external text, is truncated.
    static func text(_ unit: String?, of type: String) -> String {
        guard let unit else { return "no unit for \(type)" }
        return "unit \"\(unit.prefix(64))\" is not a unit of \(type)"
    }
}

/// Describes a state of a category that its type does not have.
enum StateProblem {
    /// Returns one line; the state and the type, which may be external text, are truncated.
    static func text(_ state: String?, of type: String) -> String {
        guard let state else { return "no value for \(type.prefix(64))" }
        return "value \"\(state.prefix(64))\" is not a state of \(type.prefix(64))"
    }
}
