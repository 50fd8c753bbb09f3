import HealthSyncDomain
import HealthSyncPorts

/// The form that imports a file, the import in progress and the last result.
struct ImportPage: Page {
    static let address = "/view/import"
    let name = "Import"
    /// Linked from Summary and Sync.
    let entry = "Sync"
    let home: LocalSources
    let imports: any ImportActions

    func content(_ context: PageContext) async throws -> [Markup] {
        let history = try await home.runs.runHistory(limit: 1)
        let current = CurrentRunSection(history: history, context: context)
        let last = await imports.lastImport()
        return [
            .tag("p", [.id("run-status"), .init("role", "status"), .init("aria-live", "polite")], current.status),
            .tag("div", [.id("live-at-work"), .init("data-live")], current.markup),
            .tag(
                "div", [.id("live-import"), .init("data-live")],
                last.map { Self.line($0, hasRecords: context.recorded != nil, context) } ?? .nothing),
            await ImportForm(imports: imports, context: context).markup,
        ]
    }

    private static func line(_ last: StartedImport, hasRecords: Bool, _ context: PageContext) -> Markup {
        let file = Markup.tag("strong", [], .tag("bdi", [], .text(last.file)))
        guard let outcome = last.outcome else {
            return .tag(
                "p", [.class("notice in-progress"), .id("started")], "The import of ", file, " is in progress since ",
                context.moment(last.at), ".")
        }
        let words = outcome.filter { $0 != "`" }.shortened(to: longestOutcome)
        let link: [Markup] = hasRecords ? [" ", .tag("a", [.href("/")], "See the figures"), "."] : []
        return .tag(
            "p", [.class(last.isGood ? "notice" : "notice warn"), .id("started")],
            [file, .text(": \(words).")] + link)
    }

    private static let longestOutcome = 600
}

/// The current run and its progress.
struct CurrentRunSection {
    let history: RunHistory
    let context: PageContext

    /// A sentence that changes only when a run begins or ends, so that screen readers can announce it.
    var status: Markup {
        if let run = history.current { return "\(run.command.rawValue) is in progress." }
        guard let last = history.runs.first, let end = last.end else { return "No run is in progress." }
        return "No run is in progress; the last one, \(last.command.rawValue), \(Self.verb(end.ending))."
    }

    /// The progress, which changes continuously.
    var markup: Markup {
        guard let run = history.current else { return .nothing }
        let took = context.numbers.exact(milliseconds: max(0, context.now.milliseconds - run.startedAt.milliseconds))
        let days = run.days.map { ", " + Figure.days($0) } ?? .nothing
        return .tag(
            "section", [.class("card"), .id("at-work")],
            [
                .tag("h2", [], "Current run"),
                .tag(
                    "p", [],
                    .text(run.command.rawValue) + days + ", since " + context.moment(run.startedAt) + " (\(took))"),
            ] + phases)
    }

    private var phases: [Markup] {
        guard let phases = history.progress?.phases, !phases.isEmpty else { return [] }
        return phases.enumerated().map { index, phase in
            // A wait counts nothing; its name contains the reason.
            if phase.total == nil, phase.done == 0 {
                return .tag("p", [.class("notice warn")], .text(phase.text.shortened(to: Self.longestName)))
            }
            let id = "phase-\(index)"
            let share: [Markup.Attribute] =
                phase.share.map {
                    [.init("max", 100.0), .init("value", ($0 * 100).rounded(.down))]
                } ?? []
            return .tag(
                "div", [.class("phase")],
                .tag(
                    "label", [.init("for", id)], .text(phase.text.shortened(to: Self.longestName)), ": ", count(phase)),
                .tag("progress", [.id(id)] + share))
        }
    }

    private func count(_ phase: RunProgress.Phase) -> Markup {
        let done = Figure.number(Double(phase.done), context.numbers.whole(Double(phase.done)))
        guard let total = phase.total else { return done }
        return done + " of " + Figure.number(Double(total), context.numbers.whole(Double(total)))
    }

    private static func verb(_ ending: RunEnding) -> String {
        switch ending {
        case .completed: "completed"
        case .completedWithFailures: "completed with failures"
        case .held: "completed and is held by your pause"
        case .failed: "failed"
        case .cancelled: "was cancelled"
        case .cutOff: "was cut off"
        }
    }

    private static let longestName = 200
}

/// The form of a file to import. It works without a script; with one, the file may be dropped anywhere on the page, and the
/// page shows how much of it was sent.
struct ImportForm {
    let imports: any ImportActions
    let context: PageContext

    var markup: Markup {
        get async {
            var content: [Markup] = [
                .tag("h2", [], "Import a file"),
                .tag(
                    "p", [],
                    """
                    Drop the export.zip of the iPhone's Health app here, or choose it: in the Health app tap your picture, \
                    then Export All Health Data. The file is stored on this computer only, and deleted after the import.
                    """),
            ]
            content.append(await form)
            content.append(
                .tag(
                    "p", [.class("quiet")], "Or ", .tag("a", [.href(DevicesPage.address)], "connect a phone"),
                    ", which sends new data by itself."))
            return .tag("section", [.class("card"), .id("import")], content)
        }
    }

    private var form: Markup {
        get async {
            var fields: [Markup] = []
            if let zone = await imports.assumedZone() {
                let attributes: [Markup.Attribute] = [
                    .init("placeholder", "Europe/Paris"), .init("data-zone"), .init("autocomplete", "off"),
                    .init("spellcheck", "false"), .init("maxlength", "64"),
                ]
                fields.append(
                    Form.field(
                        ImportFile.zoneField, "Time zone of your days, if it is not \(zone)",
                        context.typed(ImportFile.zoneField),
                        attributes, problem: context.problem.flatMap { $0.subject == ImportFile.zoneField ? $0 : nil }))
            }
            fields.append(
                .tag(
                    "div", [], .tag("label", [.init("for", ImportFile.fileField)], "File"),
                    .tag(
                        "input",
                        [
                            .init("type", "file"), .id(ImportFile.fileField), .init("name", ImportFile.fileField),
                            .init("required"),
                        ])))
            fields.append(Form.button("Import", [.class("strong")]))
            fields.append(.tag("p", [.id("upload"), .init("role", "status"), .class("quiet")]))
            return Form.post(
                ImportFile.address, viewer: context.request.viewer, [.tag("div", [.class("fields")], fields)],
                attributes: [.init("enctype", "multipart/form-data"), .init("data-upload")])
        }
    }
}

/// Imports the file that the form contains.
struct ImportFile: PageAction {
    static let address = ImportPage.address
    /// The field of the file.
    static let fileField = "file"
    /// The field of the time zone.
    static let zoneField = "zone"

    let imports: any ImportActions
    let uploads: any FileUploads

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: ImportPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        if let failure = request.fileFailure { throw failure }
        guard let file = request.file else {
            throw SyncFailure(.usage, subject: Self.fileField, reason: "no file was chosen", advice: "choose one")
        }
        let zone = request.fields(Self.zoneField).first?.withoutOuterSpaces ?? ""
        try await imports.importFile(file, zone: zone.isEmpty ? nil : zone) { [uploads] in uploads.remove(file) }
        return .seeOther(ImportPage.address)
    }
}
