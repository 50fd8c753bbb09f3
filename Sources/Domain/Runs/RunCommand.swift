/// The command of a run: what reads, derives or sends. An open struct, so that a database that a later version wrote
/// still tells its runs.
package struct RunCommand: RawRepresentable, Hashable, Sendable {
    /// The words of the command line.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let daily = RunCommand(rawValue: "daily")
    package static let historical = RunCommand(rawValue: "historical")
    package static let push = RunCommand(rawValue: "push")
    package static let resume = RunCommand(rawValue: "resume")
    package static let repair = RunCommand(rawValue: "verify --repair")
}
