import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The body of a form with a file, which is written to the disk while it is received. The file begins only if a valid form
/// token precedes it.
///
/// A failure to write does not reject the request: the browser sends the whole file before it shows a response, and the page
/// of the form then reports the failure.
final class UploadBody: BodySink {
    private struct State {
        var reader: MultipartReader
        var isValidToken: (@Sendable (String?) -> Bool)?
        var fields: [WebField] = []
        var fieldBytes = 0
        var part = Part.none
        var file: (any FileUpload)?
        var failure: SyncFailure?
    }

    /// The part that is being read.
    private enum Part {
        case none
        case field(name: String, value: [UInt8])
        case file
    }

    /// Maximum size of a form with its file in bytes: that of an export of a hundred years.
    static let largest = 64 << 30
    /// Maximum size of all other fields in bytes.
    private static let largestFields = HTTPRequest.largestForm

    private let uploads: any FileUploads
    private let rejection: @Sendable (_ status: Int, _ reason: String) -> HTTPResponse
    private let state: Mutex<State>

    /// - Parameter rejection: returns the page that explains why the body is rejected.
    init(
        reader: MultipartReader, uploads: any FileUploads,
        rejection: @escaping @Sendable (_ status: Int, _ reason: String) -> HTTPResponse
    ) {
        self.uploads = uploads
        self.rejection = rejection
        state = Mutex(State(reader: reader))
    }

    /// Sets the check of the form token, once the viewer is known.
    func expects(_ isValidToken: @escaping @Sendable (String?) -> Bool) {
        state.withLock { $0.isValidToken = isValidToken }
    }

    /// The fields without the file, once the whole body was read.
    var fields: [WebField] { state.withLock { $0.fields } }

    /// Why a body is rejected.
    private struct Rejection: Error {
        let status: Int
        let reason: String
    }

    func append(_ piece: UnsafeRawBufferPointer) -> HTTPResponse? {
        let problem: Rejection? = state.withLock { state in
            do throws(Rejection) {
                var reader = state.reader
                let reason = unsafe try reader.read(piece) { event throws(Rejection) in
                    try receive(event, &state)
                }
                state.reader = reader
                return reason.map { Rejection(status: 400, reason: $0) }
            } catch {
                return error
            }
        }
        guard let problem else { return nil }
        abandon()
        return rejection(problem.status, problem.reason)
    }

    private func receive(_ event: MultipartReader.Event, _ state: inout State) throws(Rejection) {
        switch event {
        case .part(let name, nil): state.part = .field(name: name, value: [])
        case .part(_, let file?): try begin(file, &state)
        case .bytes(let bytes): try append(bytes, &state)
        case .partEnd:
            if case .field(let name, let value) = state.part {
                guard let text = String(validating: value, as: UTF8.self) else {
                    throw Rejection(status: 400, reason: "a field of the form is not UTF-8")
                }
                state.fields.append(WebField(name, text))
            }
            state.part = .none
        }
    }

    private func begin(_ name: String, _ state: inout State) throws(Rejection) {
        let token = state.fields.first { $0.name == WebRequest.formTokenField }?.value
        guard let isValid = state.isValidToken, isValid(token) else {
            throw Rejection(status: 403, reason: "the form has expired; load its page again")
        }
        guard state.file == nil else { throw Rejection(status: 400, reason: "the form contains several files") }
        state.part = .file
        // A form without a chosen file contains one without a name.
        guard !name.isEmpty, state.failure == nil else { return }
        do {
            state.file = try uploads.begin(name)
        } catch {
            state.failure = error
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, _ state: inout State) throws(Rejection) {
        switch state.part {
        case .none: break
        case .field(let name, var value):
            state.fieldBytes += bytes.count
            guard state.fieldBytes <= Self.largestFields else {
                throw Rejection(status: 413, reason: "the fields of the form have at most \(Self.largestFields) bytes")
            }
            value.append(contentsOf: bytes)
            state.part = .field(name: name, value: value)
        case .file:
            guard let file = state.file else { return }
            do {
                try file.append(bytes)
            } catch {
                state.failure = error
                state.file = nil
                file.discard()
            }
        }
    }

    func abandon() {
        let file = state.withLock { state in
            defer { state.file = nil }
            return state.file
        }
        file?.discard()
    }

    /// Returns the complete file; `nil` if the form contains none. Throws why it could not be stored.
    func finish() throws(SyncFailure) -> UploadedFile? {
        let (file, failure, isAtEnd) = state.withLock { state in
            defer { state.file = nil }
            return (state.file, state.failure, state.reader.isAtEnd)
        }
        if let failure { throw failure }
        guard isAtEnd else {
            file?.discard()
            throw SyncFailure(
                .badInput, subject: "the form", reason: "it ends before its last boundary", advice: "send it again")
        }
        return try file?.finish()
    }
}
