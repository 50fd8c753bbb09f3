/// Help as JSON: `commands` and `globalOptions`.
enum HelpJSON {
    static func value(_ commands: [CommandDeclaration]) -> JSONValue {
        [
            "commands": .array(commands.map(command)),
            "globalOptions": .array(GlobalOptions.all.map(option)),
        ]
    }

    private static func command(_ command: CommandDeclaration) -> JSONValue {
        [
            "name": .string(command.name), "summary": .string(command.summary), "usage": .string(command.usage),
            "discussion": .array(command.discussion.map(JSONValue.string)),
            "arguments": .array(command.arguments.map(argument)), "options": .array(command.options.map(option)),
            "examples": .array(command.examples.map { .string("healthsync \($0)") }),
        ]
    }

    private static func argument(_ argument: ArgumentDeclaration) -> JSONValue {
        [
            "name": .string(argument.name), "summary": .string(argument.summary),
            "optional": .bool(argument.isOptional), "repeats": .bool(argument.repeats),
        ]
    }

    private static func option(_ option: OptionDeclaration) -> JSONValue {
        [
            "name": .string(option.name), "letter": .optional(option.letter.map(String.init)),
            "value": .optional(option.valueName), "repeats": .bool(option.repeats),
            "summary": .string(option.summary), "default": .optional(option.defaultText),
        ]
    }
}
