import Dispatch
import Foundation
import HealthSyncDomain
package import HealthSyncPorts

/// A generator of the export of a synthetic user with a phone and a watch. docs/generate.md describes the data and the
/// truth file.
package struct SyntheticExport: ExportGenerator {
    // Compressing and writing block for seconds, so they must not run on the cooperative threads.
    private let queue = DispatchQueue(label: "healthsync.generate")

    private let time: any TimeSource

    /// Creates a generator that uses the zone rules of `time`.
    package init(time: any TimeSource) { self.time = time }

    package func generate(
        _ request: ExportGenerationRequest, progress: (any ProgressReporter)?
    ) async throws -> GeneratedExport {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Result {
                            try ExportRun(request, time: time, progress: progress, cancellation: flag).run()
                        })
                }
            }
        } onCancel: {
            flag.raise()
        }
    }
}

/// The synchronous generation of one export.
private final class ExportRun {
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

    /// Writes the export and then the truth file.
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
                .usage, subject: request.outPath, reason: "unsupported file extension",
                advice: "choose a file name that ends in .zip or .xml")
        }
        guard request.truthPath != request.outPath else {
            throw SyncFailure(
                .usage, subject: request.outPath, reason: "the export and the truth file have the same path",
                advice: "choose two different files")
        }
        guard !request.replacesFiles else { return }
        for path in [request.outPath, request.truthPath].compactMap(\.self) {
            // A link also counts as an existing file, even if its target is missing.
            if (try? FileManager.default.attributesOfItem(atPath: path)) != nil {
                throw FileFailure.exists(
                    path, advice: "choose another file, remove this one, or replace it with --force")
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
