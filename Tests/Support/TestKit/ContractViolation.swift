/// A violated requirement of a port.
public struct ContractViolation: Error, Sendable, CustomStringConvertible {
    /// The expected and the actual behavior.
    public let description: String

    /// Creates a violation with a description for the author of the tested code.
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
