public import HealthSyncPorts
import Foundation
import HealthSyncCommands

/// The program, to be started from an executable of a few lines.
///
/// ```swift
/// import HealthSyncApp
///
/// @main struct Program {
///     static func main() async { await HealthSync.main(adding: [BloodPressureHandler()]) }
/// }
/// ```
public enum HealthSync {
    /// The version of the program.
    public static let version = "0.1.0"

    /// Runs the command that the process was started with and ends the process with its exit status.
    ///
    /// - Parameter handlers: handlers of metrics that are not built in; one with the metric of a built-in handler takes
    ///   its place.
    public static func main(adding handlers: [any HealthMetricSyncHandler] = []) async -> Never {
        exit(await LiveEnvironment.runProgram(adding: handlers))
    }
}
