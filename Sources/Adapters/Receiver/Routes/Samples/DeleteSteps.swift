import HealthSyncDomain
import HealthSyncPorts

/// `DELETE /steps`: deletes all step samples of the user, including their tombstones.
struct DeleteSteps: Endpoint {
    let operation = Operation(
        "DELETE", "/steps", .scope(.delete),
        OpenAPIOperation(
            summary: "Delete all step samples", responses: [(200, "Message")], errors: OpenAPIOperation.readErrors))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let removed = try await request.services.store.removeAllSamples(of: "steps", user: request.user)
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("message")
        writer.string(removed > 0 ? "All steps deleted successfully" : "No steps file to delete")
        writer.endObject()
        return .json(writer.bytes)
    }
}
