import Dispatch
import HealthSyncDomain
package import HealthSyncPorts

/// A generator of the export of a synthetic user with a phone and a watch. docs/generate.md describes the data and the
/// truth file.
package struct SyntheticExport: ExportGenerator {
    // Compressing and writing block for seconds, so they must not run on the cooperative threads.
    private let queue = DispatchQueue(label: "healthsync.generate")

    private let time: any TimeSource

    /// Creates a generator that uses the zone rules of `time`.
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
