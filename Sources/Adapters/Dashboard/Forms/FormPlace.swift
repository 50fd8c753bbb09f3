import HealthSyncPorts

/// The page on which a form stands.
struct FormPlace: Sendable {
    /// Its address, without a query.
    let address: String
    var query: [WebField] = []
}
