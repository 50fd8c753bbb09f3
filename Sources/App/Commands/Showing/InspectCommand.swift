import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync inspect`
enum InspectCommand: Command {
    static let declaration = CommandDeclaration(
        "inspect", "Show the content of a source by type and origin",
        discussion: ["Reads the whole source and stores nothing."],
        arguments: [ArgumentDeclaration("SOURCE", "A file, folder or archive")],
        examples: ["inspect export.zip", "inspect export.zip --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.settings()
        let location = try SourceLocations(context.environment)
            .location(context.parsed.arguments[0], from: context.environment.workingDirectory)
        let found = try await context.sources(at: [location], settings)
        let rows = context.environment.factory.typeTable.rows
        var views: [InspectionView] = []
        for source in found.sources {
            let inspection = try await SourceInspection(of: source, knownTypes: rows, time: context.environment.time)
            views.append(InspectionView(inspection: inspection, clock: settings.clock))
        }
        context.show(
            charts: Array(views.map { $0.lines(context.style) }.joined(separator: [""])),
            json: [
                "sources": views,
                "notRead": found.unread.map { UnreadExportView(export: $0, clock: settings.clock) },
            ])
        return views.allSatisfy { $0.inspection.reading.isComplete } ? .done : .badInput
    }
}

/// The contents of a source.
private struct InspectionView: JSONEncodable {
    let inspection: SourceInspection
    let clock: DayClock

    private static let universal: Set<String> = ["UTC", "Etc/UTC", "Etc/UCT", "Zulu", "Universal"]

    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable(heads: [
            ("type", .left), ("unit", .left), ("count", .right), ("first", .left), ("last", .left), ("origin", .left),
        ])
        let recorders = Dictionary(grouping: inspection.rows) {
            "\($0.type.rawValue) \(Self.name(of: $0.origin, by: nil))"
        }
        for row in inspection.rows {
            let name = Self.name(of: row.origin, by: nil)
            let isOneOfSeveral = (recorders["\(row.type.rawValue) \(name)"]?.count ?? 0) > 1
            table.add(
                row.type.shortName, row.unit.isEmpty ? "-" : row.unit, Figures.grouped(row.count),
                Figures.wallClock(row.first, clock), Figures.wallClock(row.last, clock),
                isOneOfSeveral ? Self.name(of: row.origin, by: Self.model(of: row.origin)) : name)
        }
        let reading = inspection.reading
        var lines = ["\(inspection.location) (\(inspection.provider), \(inspection.semantics.rawValue))"]
        if let date = reading.exportDate { lines.append("exported \(Figures.wallClock(date, clock))") }
        lines.append("\(Figures.count(reading.recordsRead, "sample")) read")
        lines += ReadingView(reading: reading).lines
        // A machine in another place than the user often has UTC.
        if !inspection.rows.isEmpty, Self.universal.contains(clock.home.identifier) { lines.append("times: UTC") }
        return lines.flatMap { style.wrapped($0) } + (inspection.rows.isEmpty ? [] : [""] + table.lines(fitting: style))
    }

    var json: JSONValue {
        [
            "location": inspection.location, "provider": inspection.provider,
            "semantics": inspection.semantics.rawValue,
            "types": inspection.rows.map { row in
                [
                    "type": row.type.rawValue, "unit": row.unit, "count": row.count,
                    "first": row.first, "last": row.last,
                    "source": row.origin.sourceName, "device": row.origin.device,
                    "userEntered": row.origin.isUserEntered,
                    "preAggregated": row.origin.isPreAggregated,
                ] as JSONValue
            },
            "reading": ReadingView(reading: inspection.reading),
        ]
    }

    /// Returns the name of a source, with what distinguishes it from others of that name.
    private static func name(of origin: SampleOrigin, by model: String?) -> String {
        let notes = [
            model,
            origin.isUserEntered ? "entered by hand" : nil, origin.isPreAggregated ? "aggregated" : nil,
        ].compactMap { $0 }
        return origin.sourceName + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }

    /// Returns the device, such as `Apple Watch · Watch7,9`; `nil` if it is not stated.
    private static func model(of origin: SampleOrigin) -> String? {
        origin.device.isEmpty ? nil : DeviceText.short(origin.device)
    }
}
