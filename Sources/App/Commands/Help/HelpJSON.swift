/// Help as JSON: `commands` and `globalOptions`.
enum HelpJSON {
    static func value(_ commands: [CommandDeclaration], program: String) -> JSONValue {
        [
            "commands": commands.map { command($0, program) },
            "globalOptions": GlobalOptions.all.map(option),
        ]
    }

    private static func command(_ command: CommandDeclaration, _ program: String) -> JSONValue {
        [
            "name": command.name, "group": command.group, "summary": command.summary,
            "usage": command.usage(of: program),
            "discussion": command.discussion,
            "arguments": command.arguments.map(argument), "options": command.options.map(option),
            "examples": command.examples.map { "\(program) \($0)" },
        ]
    }

    private static func argument(_ argument: ArgumentDeclaration) -> JSONValue {
        [
            "name": argument.name, "summary": argument.summary,
            "optional": argument.isOptional, "repeats": argument.repeats,
        ]
    }

    private static func option(_ option: OptionDeclaration) -> JSONValue {
        [
            "name": option.name, "letter": option.letter.map(String.init),
            "value": option.valueName, "repeats": option.repeats,
            "summary": option.summary, "default": option.defaultText,
        ]
    }
}
