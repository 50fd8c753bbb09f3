import Synchronization

/// Feeds a streamed body to the daemon: while the next piece is being made the connection is suspended.
final class StreamPump: Sendable {
    private struct State {
        var piece: [UInt8] = []
        var offset = 0
        var end: Int?
    }

    private let stream: any BodyStream
    private let connection: ConnectionHandle
    private let state = Mutex(State())

    init(_ stream: any BodyStream, connection: ConnectionHandle) {
        self.stream = stream
        self.connection = connection
    }

    // MHD_CONTENT_READER_END_OF_STREAM and _END_WITH_ERROR are casts in C, which Swift does not import.
    private static let endOfStream = -1
    private static let endWithError = -2

    /// Copies what there is; 0 while there is nothing yet.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        let copied: Int? = state.withLock { state in
            let left = state.piece.count - state.offset
            guard left > 0 else { return state.end }
            let count = min(left, room.count)
            unsafe state.piece.withUnsafeBytes {
                unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.offset..<state.offset + count]))
            }
            state.offset += count
            return count
        }
        if let copied { return copied }
        connection.suspend()
        // Not structured: the library's thread asks, and has no task that could wait.
        Task {
            await fetch()
            connection.resume()
        }
        return 0
    }

    private func fetch() async {
        do {
            let piece = try await stream.next()
            state.withLock { state in
                state.piece = piece ?? []
                state.offset = 0
                state.end = piece == nil ? Self.endOfStream : nil
            }
        } catch {
            state.withLock { $0.end = Self.endWithError }
        }
    }
}
