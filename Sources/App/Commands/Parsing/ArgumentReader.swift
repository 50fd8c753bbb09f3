import HealthSyncDomain

/// Reads the words of a command line from first to last.
struct ArgumentReader {
    private let command: CommandDeclaration?
    private let options: [OptionDeclaration]
    private let allOptions: [OptionDeclaration]
    private var waiting: OptionDeclaration?
    private var pathLeft: ArraySlice<String>
    private(set) var parsed = ParsedCommand()

    /// Creates a reader that accepts `options` for `command`. `allOptions` includes those of other commands, for advice.
    init(command: CommandDeclaration?, options: [OptionDeclaration], allOptions: [OptionDeclaration]) {
        self.command = command
        self.options = options
        self.allOptions = allOptions
        parsed.path = command?.path ?? []
        pathLeft = parsed.path[...]
    }

    /// Reads `words`.
    mutating func read(_ words: [String]) throws(SyncFailure) {
        var optionsEnded = false
        for word in words {
            if let option = waiting, option.isValueOptional, word.hasPrefix("-") {
                waiting = nil
                try take("", for: option)
            }
            if let option = waiting {
                // A word that looks like an option usually means that the value is missing.
                guard !word.hasPrefix("--") else { throw Self.missingValue(option) }
                waiting = nil
                try take(word, for: option)
            } else if optionsEnded || word == "-" || !word.hasPrefix("-") {
                take(word, isLiteral: optionsEnded)
            } else if word == "--" {
                optionsEnded = true
            } else if word.hasPrefix("--") {
                try takeLong(String(word.dropFirst(2)))
            } else {
                try takeLetters(word)
            }
        }
        if let option = waiting {
            guard option.isValueOptional else { throw Self.missingValue(option) }
            try take("", for: option)
        }
    }

    private mutating func take(_ word: String, isLiteral: Bool) {
        if !isLiteral, word == pathLeft.first { pathLeft.removeFirst() } else { parsed.arguments.append(word) }
    }

    private mutating func takeLong(_ text: String) throws(SyncFailure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard let option = options.first(where: { $0.name == name }) else { throw unknown(name) }
        if option.valueName == nil {
            guard parts.count == 1 else {
                throw .usage("--\(name)", "takes no value", advice: "write --\(name) alone")
            }
            try take("", for: option)
        } else if parts.count == 2 {
            try take(parts[1], for: option)
        } else {
            waiting = option
        }
    }

    private mutating func takeLetters(_ word: String) throws(SyncFailure) {
        for letter in word.dropFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else {
                throw .usage(
                    word, "no such option", advice: "long options begin with two dashes; see `\(helpCommand)`")
            }
            try take("", for: option)
        }
    }

    private mutating func take(_ value: String, for option: OptionDeclaration) throws(SyncFailure) {
        if option.valueName != nil, value.isEmpty, !option.isValueOptional {
            throw .usage("--\(option.name)", "empty value", advice: "write \(option.spelling)")
        }
        if !option.repeats, option.valueName != nil, parsed.has(option.name) {
            throw .usage("--\(option.name)", "repeated option", advice: "give it once")
        }
        parsed.values[option.name, default: []].append(value)
    }

    private func unknown(_ name: String) -> SyncFailure {
        let suggestion = Suggestion.nearest(to: name, among: options.map(\.name)).map { "did you mean --\($0)?" }
        if let command, allOptions.contains(where: { $0.name == name }) {
            return .usage(
                "--\(name)", "not an option of `\(command.name)`", advice: suggestion ?? "see `\(helpCommand)`")
        }
        if ["token", "password", "key"].contains(name) {
            return .usage(
                "--\(name)", "no such option, because other users can see command lines",
                advice: "use --token-file or the variable HEALTHSYNC_TOKEN")
        }
        return .usage("--\(name)", "no such option", advice: suggestion ?? "see `\(helpCommand)`")
    }

    private var helpCommand: String { (["healthsync", "help"] + parsed.path).joined(separator: " ") }

    private static func missingValue(_ option: OptionDeclaration) -> SyncFailure {
        .usage(
            "--\(option.name)", "missing value",
            advice: "write \(option.spelling), or --\(option.name)=VALUE for a value that begins with dashes")
    }
}
