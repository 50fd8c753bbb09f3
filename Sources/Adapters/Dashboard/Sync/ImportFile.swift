import HealthSyncDomain
import HealthSyncPorts

/// Imports the file that the form contains.
struct ImportFile: PageAction {
    static let address = ImportPage.address
    /// The field of the file.
    static let fileField = "file"
    /// The field of the time zone.
    static let zoneField = "zone"

    let imports: any ImportActions
    let uploads: any FileUploads

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: ImportPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        if let failure = request.fileFailure { throw failure }
        guard let file = request.file else {
            throw SyncFailure(.usage, subject: Self.fileField, reason: "no file was chosen", advice: "choose one")
        }
        let zone = request.fields(Self.zoneField).first?.withoutOuterSpaces ?? ""
        try await imports.importFile(file, zone: zone.isEmpty ? nil : zone) { [uploads] in uploads.remove(file) }
        return .seeOther(ImportPage.address)
    }
}
