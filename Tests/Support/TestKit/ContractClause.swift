/// One promise of a port, as a value that any test framework can run.
///
/// The kit imports no test framework: a clause that does not hold throws, and one that holds returns.
///
/// ```swift
/// @Test(arguments: HandlerContract.clauses(for: BloodPressureHandler()))
/// func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }
/// ```
public struct ContractClause: Sendable, CustomStringConvertible {
    /// What is promised, as a sentence.
    public let name: String
    /// Throws `ContractViolation` where the promise is broken.
    public let check: @Sendable () async throws -> Void

    /// The promise `name`, which `check` puts to the test.
    public init(_ name: String, check: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.check = check
    }

    /// The promise.
    public var description: String { name }
}
