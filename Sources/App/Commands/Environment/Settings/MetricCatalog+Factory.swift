import HealthSyncDomain
import HealthSyncPorts

extension MetricCatalog {
    /// Creates the catalog: the metrics of the built-in handlers and of plug-ins, followed by those that can be derived
    /// from any other quantity.
    init(_ settings: Settings, factory: CommandFactory) {
        let handlers = factory.handlers(settings)
        let further = MetricChoice.furtherTypes(factory, offered: handlers)
            .compactMap { factory.quantityHandler($0, settings) }
        self.init((handlers + further).flatMap(\.results))
    }
}
