import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The work of one request, on whatever thread calls it.
final class ExportRun {
    private let request: ExportGenerationRequest
    private let scenario: Scenario
    private let progress: (any ProgressReporter)?
    private let cancellation: CancellationFlag
    private var document: ExportDocument

    init(
        _ request: ExportGenerationRequest, time: any TimeSource, progress: (any ProgressReporter)?,
        cancellation: CancellationFlag
    ) throws {
        try Self.check(request)
        self.request = request
        self.progress = progress
        self.cancellation = cancellation
        scenario = try Scenario(request, time: time)
        document = ExportDocument(scenario: scenario)
    }

    /// Writes the export and then its truth.
    func run() throws -> GeneratedExport {
        if Self.suffix(request) == "zip" {
            try writeArchive()
        } else {
            try OutputFile(path: request.outPath).write(nextPiece)
        }
        if let truthPath = request.truthPath {
            let text = try TruthDocument(scenario: scenario, document: document).text()
            var pieces = [Array(text)][...]
            try OutputFile(path: truthPath).write { pieces.popFirst() }
        }
        return GeneratedExport(
            days: scenario.timeline.days, records: document.records, xmlBytes: document.byteCount)
    }

    private static func suffix(_ request: ExportGenerationRequest) -> String {
        (request.outPath as NSString).pathExtension.lowercased()
    }

    private static func check(_ request: ExportGenerationRequest) throws(SyncFailure) {
        guard ["zip", "xml"].contains(suffix(request)) else {
            throw SyncFailure(
                .usage, subject: request.outPath, reason: "is neither an archive nor an XML file by its name",
                advice: "name a file that ends in .zip or .xml")
        }
        guard request.truthPath != request.outPath else {
            throw SyncFailure(
                .usage, subject: request.outPath, reason: "is named for the export and for the truth",
                advice: "name two files")
        }
        guard !request.replacesFiles else { return }
        for path in [request.outPath, request.truthPath].compactMap(\.self) {
            // A link counts too, wherever it leads.
            if (try? FileManager.default.attributesOfItem(atPath: path)) != nil {
                throw FileFailure.exists(path, advice: "name another file, remove this one, or replace it with --force")
            }
        }
    }

    private func nextPiece() throws -> [UInt8]? {
        try cancellation.check()
        let piece = document.next()
        progress?.report(phase: "generate", done: document.progress.done, total: document.progress.total)
        return piece
    }

    private func writeArchive() throws {
        let folder = "apple_health_export"
        let companions = CompanionFiles(scenario: scenario)
        let (year, month, day) = scenario.timeline.days.last.advanced(by: 1).components
        let archive = ExportArchive(
            path: request.outPath, date: UInt16(max(0, year - 1980) << 9 | month << 5 | day),
            time: UInt16(9 << 11 | 12 << 5 | 8))
        var entries = [ExportArchive.Entry(name: "\(folder)/export.xml", next: nextPiece)]
        if let walk = scenario.routeWalk {
            let route = companions.route(of: walk)
            entries.insert(Self.entry("\(folder)/\(scenario.routePath)", route), at: 0)
        }
        entries.append(Self.entry("\(folder)/export_cda.xml", companions.clinicalDocument))
        try archive.write(entries)
    }

    private static func entry(_ name: String, _ text: String) -> ExportArchive.Entry {
        var pieces = [Array(text.utf8)][...]
        return ExportArchive.Entry(name: name) { pieces.popFirst() }
    }
}
