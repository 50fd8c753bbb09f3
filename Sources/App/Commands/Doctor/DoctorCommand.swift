import HealthSyncDomain

/// `healthsync doctor`
enum DoctorCommand: Command {
    static let declaration = CommandDeclaration(
        "doctor", "Check the configuration, time zone, folders, database, sources and libraries",
        discussion: [
            "Changes nothing. Contacts the server only with --online or --server. Exits with status 1 if a check finds "
                + "an error."
        ], options: [.flag("online", "Check the server too")], uses: [.sources, .server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let findings = await DoctorChecks(context: context).findings()
        let worst = findings.map(\.level).max() ?? .ok
        var table = TextTable([.left, .left, .left])
        for finding in findings {
            let advice = finding.advice.isEmpty ? "" : "; \(finding.advice)"
            table.add(
                [finding.level.rawValue, finding.subject, finding.finding + advice], colors: [0: finding.level.color])
        }
        context.show(
            charts: table.lines(fitting: context.style),
            json: ["worst": worst.rawValue, "findings": findings.map(json)])
        return worst == .error ? .metricFailed : .done
    }

    private static func json(_ finding: CheckFinding) -> JSONValue {
        [
            "level": finding.level.rawValue, "subject": finding.subject,
            "finding": finding.finding, "advice": finding.advice,
        ]
    }
}

extension CheckFinding.Level {
    /// The color of the word on a terminal.
    fileprivate var color: Palette {
        switch self {
        case .ok: .good
        case .warning: .warn
        case .error: .range
        }
    }
}
