import HealthSyncDomain
import HealthSyncPorts

/// `DELETE /steps`: forgets all steps of the user.
struct DeleteSteps: Endpoint {
    let operation = Operation("DELETE", "/steps", .scope(.delete), description: OpenAPIText.deleteSteps)

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        let removed = try await request.services.store.removeAllSamples(of: "steps", user: request.user)
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("message")
        writer.string(removed > 0 ? "All steps deleted successfully" : "No steps file to delete")
        writer.endObject()
        return .json(writer.bytes)
    }
}
