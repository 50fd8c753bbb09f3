import Synchronization

/// Feeds a streamed body to the daemon. The connection is suspended while the next piece is created.
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

    // MHD_CONTENT_READER_END_OF_STREAM and MHD_CONTENT_READER_END_WITH_ERROR, which Swift does not import because they
    // are casts in C.
    private static let endOfStream = -1
    private static let endWithError = -2

    /// Copies available bytes to `buffer`; returns 0 if none are available yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let copied: Int? = state.withLock { state in
            let available = state.piece.count - state.offset
            guard available > 0 else { return state.end }
            let count = min(available, buffer.count)
            unsafe state.piece.withUnsafeBytes {
                unsafe buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[state.offset..<state.offset + count]))
            }
            state.offset += count
            return count
        }
        if let copied { return copied }
        connection.suspend()
        // Unstructured because the library's polling thread has no task.
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
