import HealthSyncDomain
import HealthSyncPorts

/// `healthsync metrics`
enum MetricsCommand: Command {
    static let declaration = CommandDeclaration(
        "metrics", "List the metrics that can be derived",
        discussion: [
            "All of them are derived by default, those of the second list if the data contain them. --metrics, or "
                + "\"metrics\" in the configuration, derives only those it names. `healthsync metric NAME` shows the figures "
                + "of one of them."
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let factory = context.environment.factory
        let settings = try await context.settings()
        let handlers = factory.handlers(settings)
        let further = MetricChoice.furtherTypes(factory, offered: handlers)
            .compactMap { factory.quantityHandler($0, settings) }
        var more = further.isEmpty ? [] : [""] + table("further metric", further).lines(fitting: context.style)
        let set = handlers.filter { !$0.settings.isEmpty }
        if !set.isEmpty { more += [""] + settingsTable(set, settings).lines(fitting: context.style) }
        context.show(
            charts: table("metric", handlers).lines(fitting: context.style) + more,
            json: [
                "metrics": handlers.map { json($0, kind: $0.results.first?.kind.rawValue, settings) },
                // A further metric has the kind of its type.
                "furtherMetrics": further.map { json($0, kind: $0.reads.first?.kind.rawValue, settings) },
            ])
        return .done
    }

    /// Returns a row for each metric of `handlers`. The last column contains the name for `--metrics` if it differs.
    private static func table(_ head: String, _ handlers: [any HealthMetricSyncHandler]) -> TextTable {
        var table = TextTable(
            heads: [(head, .left), ("title", .left), ("unit", .left), ("kind", .left), ("reads", .left)])
        for handler in handlers {
            let reads = (handler.reads.map(\.type.shortName) + handler.inputs.map(\.rawValue)).joined(separator: ", ")
            for result in handler.results {
                let name = result.metric == handler.metric ? "" : " (--metrics \(handler.metric))"
                table.add(
                    result.metric.rawValue, result.title, result.unit.isEmpty ? "-" : result.unit, result.kind.rawValue,
                    reads + name)
            }
        }
        return table
    }

    /// Returns a row for each setting of `handlers`.
    private static func settingsTable(
        _ handlers: [any HealthMetricSyncHandler], _ settings: Settings
    ) -> TextTable {
        var table = TextTable(heads: [("setting", .left), ("value", .left), ("values", .left), ("meaning", .left)])
        for handler in handlers {
            let values = settings.values(of: handler)
            for setting in handler.settings {
                table.add(
                    setting.key(of: handler.metric), values.value(setting).text, setting.values.text, setting.summary)
            }
        }
        return table
    }

    private static func json(
        _ handler: any HealthMetricSyncHandler, kind: String?, _ settings: Settings
    ) -> JSONValue {
        let definition = handler.results.first
        let values = settings.values(of: handler)
        return [
            "metric": handler.metric.rawValue, "title": definition?.title,
            "unit": definition?.unit ?? "", "kind": kind,
            "reads": handler.reads.map(\.type.rawValue), "inputs": handler.inputs.map(\.rawValue),
            "results": handler.results.map(JSONValue.definition),
            "settings": JSONValue.array(
                handler.settings.map { setting in
                    [
                        "key": setting.key(of: handler.metric), "value": values.value(setting).json,
                        "default": setting.standard.json, "summary": setting.summary,
                    ]
                }),
        ]
    }
}

extension HandlerSetting {
    /// The key in the configuration.
    fileprivate func key(of metric: HealthMetric) -> String { programKey ?? "\(Setting.plugIns.key).\(metric).\(name)" }
}

extension HandlerSetting.Values {
    fileprivate var text: String {
        switch self {
        case .wholeNumber(let range, _): "\(range.lowerBound) to \(range.upperBound)"
        case .flag: "true, false"
        case .choice(let texts, _): texts.joined(separator: ", ")
        }
    }
}

extension HandlerSetting.Value {
    fileprivate var text: String {
        switch self {
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .text(let text): text
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .number(let number): .integer(Int64(number))
        case .flag(let flag): .bool(flag)
        case .text(let text): .string(text)
        }
    }
}
