import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync completion`
enum CompletionCommand: Command {
    static let declaration = CommandDeclaration(
        "completion", "Print a script that lets a shell complete command lines",
        discussion: [
            "Also prints the lists that these scripts use: metrics, services, shoes and zones. In bash, add "
                + "`source <(healthsync completion bash)` to ~/.bashrc. Packages install the scripts."
        ],
        arguments: [ArgumentDeclaration("SHELL", "bash, zsh or fish; or metrics, services, shoes or zones")],
        examples: ["completion bash", "completion metrics"])

    private static let lists = ["metrics", "services", "shoes", "zones"]

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let name = context.parsed.arguments.first ?? ""
        if let script = CompletionScripts(commands: CommandTable.declarations).script(name)?
            .replacing(ProgramName.standard, with: context.environment.programName)
        {
            context.environment.output(
                context.parsed.has("json") ? JSONText.document(["shell": name, "script": script]) : script)
            return .done
        }
        guard lists.contains(name) else {
            throw SyncFailure.usage(
                name, "no such shell or list",
                advice: "use one of \((CompletionScripts.shells + lists).joined(separator: ", "))")
        }
        let words = try await list(name, in: context)
        context.show(text: words, json: ["words": words])
        return .done
    }

    private static func list(_ name: String, in context: CommandContext) async throws -> [String] {
        switch name {
        case "zones": return zones(context.environment)
        case "services": return UserService.allCases.map(\.rawValue)
        case "metrics":
            let factory = context.environment.factory
            let settings = try await context.settings()
            let handlers = factory.handlers(settings)
            let further = MetricChoice.furtherTypes(factory, offered: handlers)
                .compactMap { factory.quantityHandler($0, settings) }
            return Set((handlers + further).flatMap { $0.results.map(\.metric.rawValue) }).sorted()
        default:
            let settings = try await context.localSettings()
            let collection = try await context.withEngine(.reading, settings: settings) { engine in
                try await engine.shoes.shoeCollection()
            }
            return collection.shoes.map(\.name).sorted()
        }
    }

    /// Returns the names of the zones and links in the system's time zone database; none if it has no list.
    private static func zones(_ environment: CommandEnvironment) -> [String] {
        let folder = environment.variables["TZDIR"] ?? "/usr/share/zoneinfo"
        let bytes = (try? environment.files.read(folder + "/tzdata.zi", limit: 1 << 20)) ?? []
        let names = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            switch words.first {
            case "Z" where words.count > 1: return words[1]
            case "L" where words.count > 2: return words[2]
            default: return nil
            }
        }
        return names.map(String.init).sorted()
    }
}

/// Scripts with which shells complete command lines, generated from the declarations of commands.
private struct CompletionScripts: Sendable {
    private let commands: [CommandDeclaration]

    package init(commands: [CommandDeclaration]) { self.commands = commands }

    /// The shells that have a script.
    static let shells = ["bash", "zsh", "fish"]

    /// Returns the script for a shell of `shells`; `nil` for another name.
    package func script(_ shell: String) -> String? {
        switch shell {
        case "bash": bash
        // The completions of bash also work in zsh, whose compatibility mode runs them.
        case "zsh":
            "#compdef healthsync\nautoload -U +X bashcompinit && bashcompinit\n" + bash
        case "fish": fish
        default: nil
        }
    }

    private var groups: [String] { Set(commands.filter { $0.path.count > 1 }.map { $0.path[0] }).sorted() }

    /// The case patterns of bash for each command: its options, and the kinds of values and arguments.
    private var bashCases: [String] {
        commands.flatMap { command -> [String] in
            let options = (command.options + GlobalOptions.all).map { "--\($0.name)" }.joined(separator: " ")
            let values = command.options.compactMap { option in
                option.valueName.map { "--\(option.name)=\(Self.kind(of: option, $0))" }
            }
            let argument = command.arguments.first.map { Self.kind(of: command, $0) } ?? "none"
            return [
                "    '\(command.name)')", "      options='\(options)'",
                "      values='\(values.joined(separator: " "))'",
                "      argument=\(argument) ;;",
            ]
        }
    }

    private var bash: String {
        let first = Set(commands.map { $0.path[0] }).sorted().joined(separator: " ")
        let global = GlobalOptions.all.compactMap { option in
            option.valueName.map { "--\(option.name)=\(Self.kind(of: option, $0))" }
        }
        let seconds = groups.map { group in
            let words = commands.filter { $0.path.count > 1 && $0.path[0] == group }.map { $0.path[1] }
            return "    \(group)) words='\(words.joined(separator: " "))' ;;"
        }
        let lines =
            [
                "# Completions of healthsync; generated by healthsync.", "_healthsync_declaration() {",
                "  options='\(GlobalOptions.all.map { "--\($0.name)" }.joined(separator: " "))' values='' argument=none",
                "  case \"$1\" in",
            ] + bashCases + ["  esac", "  values=\"$values \(global.joined(separator: " "))\"", "}"]
            + ["_healthsync_second() {", "  words=''", "  case \"$1\" in"] + seconds + ["  esac", "}"]
            + [Self.bashFunctions.replacing("@FIRST@", with: first)]
        return lines.joined(separator: "\n")
    }

    private var fish: String {
        var lines = ["# Completions of healthsync; generated by healthsync.", "complete -c healthsync -f"]
        for command in commands {
            let first = command.path[0]
            if command.path.count == 1 {
                lines.append(
                    "complete -c healthsync -n __fish_use_subcommand -a \(first) -d \(Self.quoted(command.summary))")
            } else {
                lines.append(
                    "complete -c healthsync -n '__fish_seen_subcommand_from \(first)' -a \(command.path[1])"
                        + " -d \(Self.quoted(command.summary))")
            }
            let seen = command.path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            lines += command.options.map { Self.fish($0, when: " -n '\(seen)'") }
            if let argument = command.arguments.first, let values = Self.fishValues(Self.kind(of: command, argument)) {
                lines.append("complete -c healthsync -n '\(seen)' \(values)")
            }
        }
        for group in groups { lines.append("complete -c healthsync -n __fish_use_subcommand -a \(group)") }
        return (lines + GlobalOptions.all.map { Self.fish($0, when: "") }).joined(separator: "\n") + "\n"
    }

    private static func fish(_ option: OptionDeclaration, when condition: String) -> String {
        var line = "complete -c healthsync\(condition) -l \(option.name)"
        if let letter = option.letter { line += " -s \(letter)" }
        if let value = option.valueName { line += " -r " + (fishValues(kind(of: option, value)) ?? "") }
        return line + " -d \(quoted(option.summary))"
    }

    private static func fishValues(_ kind: String) -> String? {
        switch kind {
        case "files": "-F"
        case "none": nil
        default: "-a '(healthsync completion \(kind) 2>/dev/null)'"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    /// Returns the kind of the values of an option: a list of `healthsync completion`, `files` or `none`.
    private static func kind(of option: OptionDeclaration, _ value: String) -> String {
        if option.name == "metrics" { return "metrics" }
        if value == "ZONE" { return "zones" }
        return ["FILE", "FOLDER", "PATH"].contains(value) ? "files" : "none"
    }

    private static func kind(of command: CommandDeclaration, _ argument: ArgumentDeclaration) -> String {
        switch argument.name {
        case "SHOE": "shoes"
        case "FILE", "SOURCE": "files"
        case "SERVICE": "services"
        case "NAME" where command.path == ["metric"]: "metrics"
        default: "none"
        }
    }
}

extension CompletionScripts {
    /// The part of the script for bash that does not depend on the commands. `@FIRST@` is the list of first words.
    private static let bashFunctions = #"""
        _healthsync_list() {
          local IFS=$'\n' line
          COMPREPLY=()
          for line in $(healthsync completion "$1" 2>/dev/null); do
            if [[ "${line,,}" == "${2,,}"* ]]; then COMPREPLY+=("$(printf '%q' "$line")"); fi
          done
        }
        _healthsync_values() {
          case "$1" in
            files) compopt -o filenames 2>/dev/null; local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$2")) ;;
            none) COMPREPLY=() ;;
            *) _healthsync_list "$1" "$2" ;;
          esac
        }
        _healthsync() {
          local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
          local options values argument words path='' word index entry
          for ((index = 1; index < COMP_CWORD; index++)); do
            word="${COMP_WORDS[index]}"
            [[ "$word" == -* ]] && break
            if [[ -z "$path" ]]; then path="$word"; continue; fi
            _healthsync_second "$path"
            [[ " $words " == *" $word "* ]] && path="$path $word"
            break
          done
          _healthsync_declaration "$path"
          if [[ "$current" == '=' ]]; then current=''; fi
          if [[ "$previous" == '=' ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi
          for entry in $values; do
            if [[ "$entry" == "$previous="* ]]; then _healthsync_values "${entry#*=}" "$current"; return; fi
          done
          if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current")); return; fi
          if [[ -z "$path" ]]; then COMPREPLY=($(compgen -W "@FIRST@" -- "$current")); return; fi
          _healthsync_second "$path"
          COMPREPLY=($(compgen -W "$words" -- "$current"))
          if [[ -n "$words" && ( "$argument" == none || ${#COMPREPLY[@]} -gt 0 ) ]]; then return; fi
          _healthsync_values "$argument" "$current"
        }
        complete -F _healthsync healthsync

        """#
}
