import Dispatch
import Foundation
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
    /// The test without a limit of time.
    private let unlimited: @Sendable () async throws -> Void

    /// Creates the clause `name`, which `check` tests.
    public init(_ name: String, check: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.check = check
        unlimited = check
    }

    private init(
        _ name: String, unlimited: @escaping @Sendable () async throws -> Void,
        check: @escaping @Sendable () async throws -> Void
    ) {
        (self.name, self.unlimited, self.check) = (name, unlimited, check)
    }

    /// The requirement.
    public var description: String { name }
}

extension [ContractClause] {
    /// The same clauses, each of which fails if it has not ended after a limit: code under test that hangs fails its contract.
    var limited: [ContractClause] { map { $0.limited(to: ContractClause.longestSeconds) } }
}

extension ContractClause {
    /// The seconds after which a clause of code that an author tests fails: a clause takes some milliseconds. HEALTHSYNC_CLAUSE_SECONDS
    /// sets another limit for slow machines.
    static let longestSeconds =
        ProcessInfo.processInfo.environment["HEALTHSYNC_CLAUSE_SECONDS"].flatMap { Int($0) } ?? 50
    /// The seconds in which code ends after its task was cancelled.
    private static let secondsToEnd = 2

    /// Returns the same clause, which fails if it has not ended after `seconds`. Its task is then cancelled; code that does not return
    /// all the same keeps its thread. Replaces an earlier limit.
    public func limited(to seconds: Int) -> ContractClause {
        ContractClause(name, unlimited: unlimited) { [check = unlimited] in
            let outcome = Outcome()
            try await outcome.value {
                // Threads of its own: code that blocks would keep the few threads of Swift tasks.
                let task = Task(executorPreference: ClauseThreads()) {
                    let result: Result<Void, any Error>
                    do { result = .success(try await check()) } catch { result = .failure(error) }
                    let late = ContractViolation(
                        "did not end within \(seconds) s; it ended when its task was cancelled")
                    outcome.resolve(outcome.isLate ? .failure(late) : result)
                }
                let timer = DispatchQueue(label: "clause")
                timer.asyncAfter(deadline: .now() + .seconds(seconds)) {
                    outcome.setLate()
                    task.cancel()
                }
                timer.asyncAfter(deadline: .now() + .seconds(seconds + Self.secondsToEnd)) {
                    let text =
                        "did not end within \(seconds) s, nor within \(Self.secondsToEnd) s after it was cancelled: a call of the "
                        + "tested code does not return"
                    outcome.resolve(.failure(ContractViolation(text)))
                }
                return task
            }
        }
    }
}

/// The first of several results.
private final class Outcome: Sendable {
    private let waiting = Mutex<CheckedContinuation<Void, any Error>?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let late = Atomic<Bool>(false)

    /// Whether the limit has passed.
    var isLate: Bool { late.load(ordering: .acquiring) }

    func setLate() { late.store(true, ordering: .releasing) }

    /// Calls `start`, which begins a task, and returns the first result that is then resolved. The task is cancelled with the caller.
    func value(_ start: () -> Task<Void, Never>) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.withLock { $0 = continuation }
                let started = start()
                task.withLock { $0 = started }
                if Task.isCancelled { started.cancel() }
            }
        } onCancel: {
            task.withLock { $0 }?.cancel()
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
