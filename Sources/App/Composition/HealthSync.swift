public import HealthSyncPorts
import Foundation
import HealthSyncCommands

/// The program, with the plug-ins of its author.
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
    public static let version = "0.2.0"

    /// Runs the command on the command line of this process and ends the process with its exit status.
    ///
    /// - Parameters:
    ///   - handlers: handlers of further metrics; a handler with the metric of a built-in one replaces it.
    ///   - sources: formats of further sources, which are asked before the built-in ones.
    ///   - senders: formats of further destinations, which are asked before the built-in ones.
    ///   - decoders: decoders of further apps that deliver to the inbox, which are asked before the built-in ones.
    public static func main(
        adding handlers: [any HealthMetricSyncHandler] = [], sources: [any HealthSourceFormat] = [],
        senders: [any HealthDestinationFormat] = [], decoders: [any InboxDecoder] = []
    ) async -> Never {
        let plugIns = PlugIns(handlers: handlers, sources: sources, senders: senders, decoders: decoders)
        let status = await LiveEnvironment.runProgram(with: plugIns)
        // Requests may be in progress on other threads. `exit` would run the handlers of libcrypto, which free what they use.
        fflush(nil)
        _exit(status)
    }
}
