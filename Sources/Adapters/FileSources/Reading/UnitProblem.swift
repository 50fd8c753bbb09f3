/// What is said of a unit in which a type is not measured.
enum UnitProblem {
    /// One line; of a unit, which is text of others, only the beginning.
    static func text(_ unit: String?, of type: String) -> String {
        guard let unit else { return "no unit is given for \(type)" }
        return "unit \"\(unit.prefix(64))\" is not a unit of \(type)"
    }
}
