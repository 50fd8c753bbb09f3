import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Pages that show the request.
struct EchoPages: WebPages {
    let memory = MemoryUploads()

    func uploads(at path: [String]) -> (any FileUploads)? { path.last == "file" ? memory : nil }

    func route(at path: [String]) -> WebRoute? {
        guard path.isEmpty || path[0] == "view" || path[0] == "assets" else { return nil }
        let isAsset = path.first == "assets"
        let methods: [WebRequest.Method] =
            path.last == "get" || isAsset ? [.get] : path.last == "post" ? [.post] : [.get, .post]
        return WebRoute(template: "page", methods: methods, isAsset: isAsset)
    }

    func answer(_ request: WebRequest) async -> WebResponse {
        if request.path == ["view", "token"] { return .page(request.viewer.formToken) }
        let fields = (request.query + request.form).map { "\($0.name)=\($0.value)" }
        let file = request.file.map { ["file \($0.name) \(memory.text)"] } ?? []
        let failure = request.fileFailure.map { ["failure \($0.code.rawValue)"] } ?? []
        return .page(
            (["\(request.method.rawValue) \(request.path)", "user \(request.viewer.user)"] + fields + file + failure)
                .joined(separator: "\n"))
    }

    func loginPage(afterFailure: Bool) -> WebResponse {
        .page(afterFailure ? "wrong token" : "which token?", status: afterFailure ? 403 : 200)
    }

    func errorPage(status: Int, reason: String) -> WebResponse { .page("error: \(reason)", status: status) }
}

/// Receives one file at a time in memory.
final class MemoryUploads: FileUploads, FileUpload {
    private let state = Mutex<(bytes: [UInt8], name: String, begun: Int, discarded: Int)>(([], "", 0, 0))

    /// The largest file; a longer one fills the disk.
    static let capacity = 1 << 20

    var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }
    var begun: Int { state.withLock { $0.begun } }
    var discarded: Int { state.withLock { $0.discarded } }

    func begin(_ name: String) throws(SyncFailure) -> any FileUpload {
        state.withLock { $0 = ([], name, $0.begun + 1, $0.discarded) }
        return self
    }

    func remove(_ file: UploadedFile) {}

    func append(_ bytes: ArraySlice<UInt8>) throws(SyncFailure) {
        let isFull = state.withLock { state in
            state.bytes += bytes
            return state.bytes.count > Self.capacity
        }
        if isFull { throw SyncFailure(.diskFull, subject: "file", reason: "full", advice: "free some space") }
    }

    func finish() throws(SyncFailure) -> UploadedFile {
        state.withLock { UploadedFile(name: $0.name, path: "/\($0.name)", bytes: Int64($0.bytes.count)) }
    }

    func discard() { state.withLock { $0.discarded += 1 } }
}
