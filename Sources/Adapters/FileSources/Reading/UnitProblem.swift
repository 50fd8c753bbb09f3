/// The message for a unit that does not fit a type.
enum UnitProblem {
    /// Returns one line; the unit, which is external text, is truncated.
    static func text(_ unit: String?, of type: String) -> String {
        guard let unit else { return "no unit for \(type)" }
        return "unit \"\(unit.prefix(64))\" is not a unit of \(type)"
    }
}
