import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// `healthsync plugin new`
enum PlugInNewCommand: Command {
    static let declaration = CommandDeclaration(
        "plugin new", "Write a package of your own for a metric, a source, a sender or a decoder",
        discussion: [
            "The package is an example of healthsync under the name that you give it: it builds, and its tests check the "
                + "contract. Change it from there. docs/adding-a-metric.md, -source.md, -sender.md and -decoder.md explain the "
                + "parts.",
            "--package names the folder of healthsync's sources, which contains the examples. The package depends on that "
                + "folder, or with --url on a repository of healthsync at the version of this program.",
        ],
        arguments: [
            ArgumentDeclaration("KIND", "metric, source, sender or decoder"),
            ArgumentDeclaration("NAME", "The name in lower camel case, such as restfulHours"),
        ],
        options: [
            .value("package", "FOLDER", "Copy the example from this folder of healthsync's sources"),
            .value("url", "URL", "Let the package depend on this repository", default: "the folder of --package"),
            .value("out", "FOLDER", "Write the package to this new folder", default: "the name with a capital letter"),
        ],
        examples: [
            "plugin new metric restfulHours --package ~/src/healthsync",
            "plugin new source bikeLog --package ~/src/healthsync --out ~/bike",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let (environment, parsed) = (context.environment, context.parsed)
        let (kind, name) = (try kind(parsed.arguments[0]), try PlugInName(parsed.arguments[1]))
        guard let folder = parsed.text("package").map(context.absolutePath) else {
            throw SyncFailure.usage(
                "plugin new", "the folder of healthsync's sources is not named", advice: "add --package FOLDER")
        }
        let sources = URL(fileURLWithPath: folder).standardized.path
        let target = parsed.text("out").map(context.absolutePath) ?? environment.workingDirectory + "/" + name.type
        try name.requireUnused(as: kind, among: environment.factory, try await context.settings())
        let dependency =
            try parsed.text("url").map {
                ".package(url: \(try SwiftText.literal($0)), from: \"\(environment.version)\")"
            }
            ?? ".package(name: \"healthsync\", path: \(SwiftText.literal(sources)))"
        let copy = ExampleCopy(
            kind: kind, name: name, sources: sources, target: target, dependency: dependency, url: parsed.text("url"),
            files: environment.files)
        let written = try await BlockingWork.run("healthsync.plugin") { _ in try copy.write() }
        context.show(
            text: written.map { "\(target)/\($0)" } + [
                "`cd \(target) && swift test` builds it and checks its contract"
            ],
            json: ["folder": target, "files": written])
        return .done
    }

    private static func kind(_ text: String) throws(SyncFailure) -> PlugInKind {
        guard let kind = PlugInKind(rawValue: text) else {
            throw .usage(
                text, "no such kind of plug-in",
                advice: "use \(PlugInKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return kind
    }
}

/// What a plug-in adds, and the example from which one begins.
private enum PlugInKind: String, CaseIterable {
    case metric, source, sender, decoder

    /// The folder below `Examples`, which is also the name of its module.
    var example: String {
        switch self {
        case .metric: "MindfulMinutes"
        case .source: "CSVSource"
        case .sender: "NDJSONSender"
        case .decoder: "StepBuddy"
        }
    }

    /// The texts that change, with their forms for `name`.
    func changes(for name: PlugInName) -> [(text: String, becomes: String)] {
        switch self {
        case .metric:
            [(example, name.type), ("mindfulMinutes", name.text), ("health-with-mindful-minutes", program(name))]
        case .source:
            [
                (example, name.type), ("health-with-csv", program(name)), ("\"csv", "\"" + name.lowercased),
                ("`csv:", "`" + name.lowercased + ":"),
            ]
        case .sender: [(example, name.type), ("health-to-ndjson", program(name)), ("ndjson:", name.lowercased + ":")]
        case .decoder: [(example, name.type), ("health-with-stepbuddy", program(name)), ("stepbuddy", name.lowercased)]
        }
    }

    private func program(_ name: PlugInName) -> String { "health-with-\(name.lowercased)" }
}

/// The name of a plug-in in its forms.
private struct PlugInName {
    /// In lower camel case: `restfulHours`.
    let text: String

    private static let longest = 40

    init(_ text: String) throws(SyncFailure) {
        let isName = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        guard isName, let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= Self.longest else {
            throw .usage(
                text, "not a name in lower camel case",
                advice: "use up to \(Self.longest) letters and digits, such as restfulHours")
        }
        self.text = text
    }

    /// The name of the module: `RestfulHours`.
    var type: String { text.prefix(1).uppercased() + text.dropFirst() }
    /// The name in addresses and of the program: `restfulhours`.
    var lowercased: String { text.lowercased() }
}

extension PlugInName {
    /// Throws `.usage` for a name that Swift, a module of the system or a metric of this program has.
    fileprivate func requireUnused(
        as kind: PlugInKind, among factory: CommandFactory, _ settings: Settings
    ) throws(SyncFailure) {
        let handlers = factory.handlers(settings)
        let metrics =
            handlers.flatMap { [$0.metric.rawValue] + $0.results.map(\.metric.rawValue) }
            + MetricChoice.furtherTypes(factory, offered: handlers).map(\.type.shortName)
        let isTaken = kind == .metric && metrics.contains(text)
        guard !isTaken, !Self.keywords.contains(text), !Self.modules.contains(type) else {
            throw .usage(
                text, isTaken ? "a metric has this name" : "Swift or a system module has this name",
                advice: "choose another name")
        }
    }

    /// Words that cannot name a constant (The Swift Programming Language, "Lexical Structure").
    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "init",
        "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "rethrows",
        "return",
        "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
        "var",
        "where", "while",
    ]

    /// Modules that the packages import, or that the toolchain has.
    private static let modules: Set<String> = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "Dispatch", "Synchronization", "Testing",
        "Observation", "Glibc", "Darwin", "RegexBuilder", "Distributed", "Cxx", "HealthSync",
    ]
}

/// Text in Swift code.
private enum SwiftText {
    /// Returns a string literal. Throws `.usage` for text with control characters.
    static func literal(_ text: String) throws(SyncFailure) -> String {
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw .usage(text, "it contains control characters", advice: "use another folder or address")
        }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}

/// Copies an example under another name.
private struct ExampleCopy: Sendable {
    let kind: PlugInKind
    let name: PlugInName
    /// The folder of healthsync's sources.
    let sources: String
    /// The new folder.
    let target: String
    /// The dependency on healthsync, as its manifest states it.
    let dependency: String
    /// The repository of the dependency; `nil` for a folder.
    let url: String?
    let files: any UserFiles

    private static let largestFile = 1 << 20
    private static let deepestFolder = 4

    /// Writes the package and returns the paths of its files.
    func write() throws(SyncFailure) -> [String] {
        let example = "\(sources)/Examples/\(kind.example)"
        guard try files.status(of: example + "/Package.swift") != nil else {
            throw SyncFailure(
                .noInput, subject: sources, reason: "it does not contain Examples/\(kind.example)",
                advice: "name the folder of healthsync's sources with --package")
        }
        guard try files.status(of: target) == nil else {
            throw FileFailure.exists(target, advice: "choose another folder with --out")
        }
        var written: [String] = []
        for path in ["Package.swift"] + (try paths(in: "Sources", of: example)) + (try paths(in: "Tests", of: example))
        {
            let text = String(decoding: try files.read("\(example)/\(path)", limit: Self.largestFile), as: UTF8.self)
            let renamed = changed(path)
            let place = "\(target)/\(renamed)"
            try files.makePrivateFolder((place as NSString).deletingLastPathComponent)
            let content = path == "Package.swift" ? manifest(changed(text)) : changed(text)
            guard try files.makePrivateFile(place, Array(content.utf8)) else { throw FileFailure.exists(place) }
            written.append(renamed)
        }
        return written
    }

    /// Returns the Swift files below a folder, relative to the example.
    private func paths(in folder: String, of example: String, depth: Int = 0) throws(SyncFailure) -> [String] {
        var paths: [String] = []
        for name in try files.names(in: "\(example)/\(folder)").sorted() {
            let path = "\(folder)/\(name)"
            if try files.status(of: "\(example)/\(path)")?.isFolder == true {
                guard depth < Self.deepestFolder else {
                    throw SyncFailure(
                        .noInput, subject: "\(example)/\(path)", reason: "nested too deeply",
                        advice: "name the folder of healthsync's sources with --package")
                }
                paths += try self.paths(in: path, of: example, depth: depth + 1)
            } else if name.hasSuffix(".swift") {
                paths.append(path)
            }
        }
        return paths
    }

    private func changed(_ text: String) -> String {
        kind.changes(for: name).reduce(text) { $0.replacing($1.text, with: $1.becomes) }
    }

    private func manifest(_ text: String) -> String {
        // The comment describes the example.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("// A ") }
        let own = lines.joined(separator: "\n")
            .replacing(".package(name: \"healthsync\", path: \"../..\")", with: dependency)
        guard let url else { return own }
        // SwiftPM identifies a repository by the end of its address.
        let name = (url as NSString).lastPathComponent
        let identity = name.hasSuffix(".git") ? String(name.dropLast(".git".count)) : name
        return own.replacing(
            "package: \"healthsync\"", with: "package: \((try? SwiftText.literal(identity)) ?? identity)")
    }
}
