import Dispatch
import HealthSyncDomain
package import HealthSyncPorts

/// Invents the export of a person with a phone and a watch. What it invents and what it calls true is in
/// docs/generate.md.
package struct SyntheticExport: ExportGenerator {
    // Compressing and writing block for seconds: not on the threads that tasks share.
    private let queue = DispatchQueue(label: "healthsync.generate")

    private let time: any TimeSource

    /// A generator that asks `time` for the rules of zones.
    package init(time: any TimeSource) { self.time = time }

    package func generate(
        _ request: ExportGenerationRequest, progress: (any ProgressReporter)?
    ) async throws -> GeneratedExport {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Result {
                            try ExportRun(request, time: time, progress: progress, cancellation: flag).run()
                        })
                }
            }
        } onCancel: {
            flag.raise()
        }
    }
}
