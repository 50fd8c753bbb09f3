import Foundation

/// The options of a command line that the commands in its messages need again, so that they concern the same data and server.
///
/// Advice such as "run `healthsync push`" is written without options. With `--data-dir` or `--server` on the command line the user
/// would follow it in vain.
struct RepeatedOptions: Sendable, Hashable {
    /// The options with their values, as they are typed.
    private let everywhere: [String]
    private let forServer: [String]
    private let commands: [CommandDeclaration]

    /// Creates the options of `parsed` for messages that name some of `commands`.
    init(_ parsed: ParsedCommand, commands: [CommandDeclaration]) {
        self.commands = commands
        everywhere = Self.words(["config", "data-dir"], of: parsed)
        // With --save they are in the configuration.
        forServer = parsed.has("save") ? [] : Self.words(["server", "token-file"], of: parsed)
    }

    /// Returns a message with the options in each of its commands, which stand between backquotes or after `run: `.
    func applied(to text: String) -> String {
        guard !everywhere.isEmpty || !forServer.isEmpty else { return text }
        let words = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        let spans = words.enumerated().map { index, span in index % 2 == 1 ? completed(span) : span }
        let joined = spans.joined(separator: "`")
        guard let run = joined.range(of: Self.unquoted) else { return joined }
        return joined[..<run.lowerBound] + "run: " + completed(String(joined[run.lowerBound...].dropFirst(5)))
    }

    /// Returns a document with the options in each command of its messages. Other texts are data.
    func applied(to json: JSONValue) -> JSONValue {
        guard !everywhere.isEmpty || !forServer.isEmpty else { return json }
        return switch json {
        case .array(let values): .array(values.map { applied(to: $0) })
        case .object(let members):
            .object(
                members.map { member in
                    guard case .string(let text) = member.value, Self.messages.contains(member.name) else {
                        return JSONValue.Member(name: member.name, value: applied(to: member.value))
                    }
                    return JSONValue.Member(name: member.name, value: .string(completed(applied(to: text))))
                })
        case .string, .null, .bool, .integer, .number: json
        }
    }

    /// The members that contain messages of this program.
    private static let messages: Set<String> = [
        "advice", "command", "finding", "notice", "paused", "reason", "text", "zoneNotice",
    ]

    private static let unquoted = "run: \(ProgramName.standard) "

    /// Returns a command with the options that it accepts and does not contain; other text as it is.
    private func completed(_ command: String) -> String {
        let prefix = "\(ProgramName.standard) "
        guard command.hasPrefix(prefix) else { return command }
        let words = command.dropFirst(prefix.count).split(separator: " ").map(String.init)
        let found = commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
        guard let found, !Self.withoutData.contains(found.path) else { return command }
        // Another server has another token. A command that saves its options must not save a server of this command line.
        let isForServer = found.uses.contains(.server) && !["--server ", "--save"].contains { command.contains($0) }
        let options = everywhere + (isForServer ? forServer : [])
        return options.reduce(command) { command, option in
            command.contains(option.prefix { $0 != " " } + " ") ? command : "\(command) \(option)"
        }
    }

    /// The commands that use neither a configuration nor data.
    private static let withoutData = [["help"], ["man"], ["completion"], ["version"], ["generate"]]

    private static func words(_ options: [String], of parsed: ParsedCommand) -> [String] {
        options.compactMap { option in parsed.text(option).map { "--\(option) \(quoted($0))" } }
    }

    /// Returns a word as a shell reads it.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:@%+,=".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
