/// A requirement of a port, as a value that any test framework can run.
///
/// The kit imports no test framework: `check` throws if the requirement is violated.
///
/// ```swift
/// @Test(arguments: HandlerContract.clauses(for: BloodPressureHandler()))
/// func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }
/// ```
public struct ContractClause: Sendable, CustomStringConvertible {
    /// The requirement, as a sentence.
    public let name: String
    /// Throws `ContractViolation` if the requirement is violated.
    public let check: @Sendable () async throws -> Void

    /// Creates the clause `name`, which `check` tests.
    public init(_ name: String, check: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.check = check
    }

    /// The requirement.
    public var description: String { name }
}
