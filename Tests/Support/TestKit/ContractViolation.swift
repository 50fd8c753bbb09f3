/// A promise that was not kept.
public struct ContractViolation: Error, Sendable, CustomStringConvertible {
    /// What was expected and what came instead.
    public let description: String

    /// A violation, described for the author of the code under test.
    public init(_ description: String) { self.description = description }

    /// Throws a violation with `message` unless `condition` holds.
    public static func unless(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw ContractViolation(message()) }
    }

    /// Throws a violation that shows both values unless `actual` equals `expected`.
    public static func unlessEqual<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: String) throws {
        if actual != expected { throw ContractViolation("\(what): expected \(expected), got \(actual)") }
    }
}
