import HealthSyncDomain
import HealthSyncPorts

/// A body of stored samples that is created page by page.
actor SampleStream: BodyStream {
    /// The format of the body.
    enum Form {
        /// `{"samples":[…],"total":n,"storedCount":n}`.
        case object
        /// One object per line.
        case lines
    }

    private let store: any ReceivedDataStore
    private let log: any EventLog
    private let number: Int
    private let form: Form
    private let end: Int?
    private var query: SampleQuery
    private var total: Int?
    private var sent = 0
    private var isFirst = true
    private var isDone = false
    private var firstPiece: [UInt8]?

    /// - Parameters:
    ///   - query: the samples; its limit is the size of a page.
    ///   - end: the maximum number of samples, `nil` for all.
    ///   - total: the total number of samples, `nil` to count them while they are sent.
    init(
        _ query: SampleQuery, of store: any ReceivedDataStore, log: any EventLog, number: Int, form: Form, end: Int?,
        total: Int?
    ) {
        self.query = query
        self.store = store
        self.log = log
        self.number = number
        self.form = form
        self.end = end
        self.total = total
    }

    /// Creates the first piece, so that an error of the store can still determine the status of the response.
    func prepare() async throws { firstPiece = try await nextPage() }

    func next() async throws -> [UInt8]? {
        if let piece = firstPiece {
            firstPiece = nil
            return piece
        }
        do {
            return try await nextPage()
        } catch {
            log.note(
                "a list of samples is incomplete: \(FailureText.of(error)) (request \(number))", level: .error)
            throw error
        }
    }

    private func nextPage() async throws -> [UInt8]? {
        guard !isDone else { return nil }
        var writer = JSONWriter(reserving: 64 << 10)
        if isFirst, form == .object { openObject(&writer) }
        if let end { query.limit = min(query.limit, max(0, end - sent)) }
        let page = try await store.samples(query)
        for sample in page.batch.samples {
            if form == .object, sent > 0 { writer.rawFragment([0x2C]) }
            var line = JSONWriter()
            SampleLine.write(
                sample, origin: page.batch.origin(of: sample), type: query.type, showsRevision: true, to: &line)
            writer.rawFragment(line.bytes)
            if form == .lines { writer.endLine() }
            sent += 1
        }
        isFirst = false
        if let next = page.next, end.map({ sent < $0 }) ?? true {
            query.after = next
        } else {
            isDone = true
            if form == .object { closeObject(&writer, next: page.next) }
        }
        let piece = writer.take()
        return piece.isEmpty ? nil : piece
    }

    private func openObject(_ writer: inout JSONWriter) { writer.rawFragment(Array(#"{"samples":["#.utf8)) }

    private func closeObject(_ writer: inout JSONWriter, next: Int64?) {
        // The original step app reads `storedCount`.
        writer.rawFragment(Array("],\"total\":\(total ?? sent),\"storedCount\":\(total ?? sent)".utf8))
        if let next { writer.rawFragment(Array(",\"next_cursor\":\"\(next)\"".utf8)) }
        writer.rawFragment(Array("}".utf8))
    }
}
