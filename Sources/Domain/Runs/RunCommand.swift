/// A command that reads, derives or sends. An open struct, so that runs recorded by a later version remain readable.
package struct RunCommand: RawRepresentable, Hashable, Sendable {
    /// The words on the command line.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let daily = RunCommand(rawValue: "daily")
    package static let historical = RunCommand(rawValue: "historical")
    package static let push = RunCommand(rawValue: "push")
    package static let resume = RunCommand(rawValue: "resume")
    package static let repair = RunCommand(rawValue: "verify --repair")
}
