import Synchronization

/// Creates the pieces of a streamed body, one at a time.
final class StreamPump: Sendable {
    /// What was created last.
    enum Piece: Sendable {
        /// Nothing yet.
        case none
        case bytes([UInt8])
        case end
        /// The stream failed; the connection closes before the last chunk.
        case failed
    }

    private let stream: any BodyStream
    private let connection: ConnectionHandle
    private let piece = Mutex(Piece.none)

    init(_ stream: any BodyStream, connection: ConnectionHandle) {
        self.stream = stream
        self.connection = connection
    }

    /// Returns the piece that was created, once.
    func take() -> Piece {
        piece.withLock { piece in
            defer { piece = .none }
            return piece
        }
    }

    /// Creates the next piece and resumes the connection.
    func fetch() {
        // Unstructured because the server's thread has no task.
        Task {
            let created: Piece
            do {
                created = try await stream.next().map { .bytes($0) } ?? .end
            } catch {
                created = .failed
            }
            piece.withLock { $0 = created }
            connection.resume()
        }
    }
}
