import Dispatch
import Synchronization

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

extension [ContractClause] {
    /// The same clauses, each of which fails if it has not ended after a limit: code under test that hangs fails its contract.
    var limited: [ContractClause] { map { $0.limited(to: ContractClause.longestSeconds) } }
}

extension ContractClause {
    /// The seconds after which a clause of code that an author tests fails. A clause takes some milliseconds.
    static let longestSeconds = 50

    /// Returns the same clause, which fails if it has not ended after `seconds`. Code that does not return keeps its thread.
    package func limited(to seconds: Int) -> ContractClause {
        ContractClause(name) { [check] in
            let outcome = Outcome()
            try await outcome.value {
                // Threads of its own: code that blocks would keep the few threads of Swift tasks.
                let task = Task(executorPreference: ClauseThreads()) {
                    do {
                        try await check()
                        outcome.resolve(.success(()))
                    } catch {
                        outcome.resolve(.failure(error))
                    }
                }
                DispatchQueue(label: "clause").asyncAfter(deadline: .now() + .seconds(seconds)) {
                    task.cancel()
                    outcome.resolve(
                        .failure(
                            ContractViolation(
                                "did not end within \(seconds) s: a call of the tested code does not return, not even when its "
                                    + "task is cancelled")))
                }
            }
        }
    }
}

/// The first of several results.
private final class Outcome: Sendable {
    private let waiting = Mutex<CheckedContinuation<Void, any Error>?>(nil)

    /// Calls `start` and returns the first result that is then resolved.
    func value(_ start: () -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            waiting.withLock { $0 = continuation }
            start()
        }
    }

    func resolve(_ result: Result<Void, any Error>) {
        let first = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        first?.resume(with: result)
    }
}

/// Runs the jobs of a clause on threads that may block.
private final class ClauseThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "clause.jobs", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
