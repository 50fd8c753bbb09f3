import HealthSyncDomain
import HealthSyncPorts

/// `healthsync metrics`
enum MetricsCommand: Command {
    static let declaration = CommandDeclaration(
        "metrics", "List the metrics that can be derived",
        discussion: [
            "The first list is derived by default. Every name of the second can be given to --metrics too."
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let factory = context.environment.factory
        let handlers = factory.handlers(try context.settings())
        let further = MetricChoice.furtherTypes(factory, offered: handlers)
        var table = TextTable(heads: [("metric", .left), ("unit", .left), ("reads", .left)])
        for handler in handlers {
            let reads = handler.reads.map(\.type.shortName).joined(separator: ", ")
            table.add(handler.metric.rawValue, Self.unit(of: handler), reads)
        }
        var more = TextTable(heads: [("further metric", .left), ("unit", .left), ("kind", .left)])
        for definition in further { more.add(definition.type.shortName, definition.unit, definition.kind.rawValue) }
        context.show(
            text: table.lines() + (further.isEmpty ? [] : [""] + more.lines()),
            json: [
                "metrics": .array(handlers.map(Self.json)),
                "furtherMetrics": .array(
                    further.map { definition in
                        [
                            "metric": .string(definition.type.shortName), "unit": .string(definition.unit),
                            "kind": .string(definition.kind.rawValue),
                        ]
                    }),
            ])
        return .done
    }

    private static func unit(of handler: any HealthMetricSyncHandler) -> String {
        let unit = handler.reads.first?.unit ?? ""
        return unit.isEmpty ? "-" : unit
    }

    private static func json(_ handler: any HealthMetricSyncHandler) -> JSONValue {
        [
            "metric": .string(handler.metric.rawValue), "unit": .string(handler.reads.first?.unit ?? ""),
            "reads": .array(handler.reads.map { .string($0.type.rawValue) }),
        ]
    }
}
