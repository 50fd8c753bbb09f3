import HealthSyncPorts

/// The page that contains a form.
struct FormPlace: Sendable {
    /// The address without a query.
    let address: String
    var query: [WebField] = []
}
