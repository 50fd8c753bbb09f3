import Foundation
package import HealthSyncPorts

/// Watches files and folders by the events of the kernel on Linux, and by polling elsewhere and as a safety net.
package struct FileWatch: SourceChanges {
    private let time: any TimeSource

    package init(time: any TimeSource) { self.time = time }

    package func changes(of paths: [String]) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            await watch(paths) { continuation.yield($0) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// A watched path.
    private struct Watched {
        let path: String
        /// The state when it was yielded last.
        var yielded: FileTreeState?
        /// The state that was seen last.
        var seen: FileTreeState?
    }

    private func watch(_ paths: [String], _ yield: @escaping @Sendable (String) -> Void) async {
        var watched = paths.map { Watched(path: $0) }
        let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        #if os(Linux)
            let kernel: FolderEvents? = FolderEvents(roots: paths) { continuation.yield() }
            defer { kernel?.stop() }
        #endif
        continuation.yield()
        var timer: Task<Void, Never>?
        for await _ in events {
            timer?.cancel()
            var isObserved = true
            for index in watched.indices {
                #if os(Linux)
                    // Before the state is read, so that no change in between is missed.
                    let folders = [parent(of: watched[index].path)] + (watched[index].seen?.folders ?? [])
                    isObserved = kernel?.observe(folders) ?? false && isObserved
                    let isWritten = kernel?.isBeingWritten(watched[index].path) ?? false
                #else
                    isObserved = false
                    let isWritten = false
                #endif
                if look(at: &watched[index], isWritten: isWritten) { yield(watched[index].path) }
            }
            let isSettling = watched.contains { $0.seen != $0.yielded }
            let wait =
                !isObserved ? Self.pollMilliseconds : isSettling ? Self.settlingMilliseconds : Self.rareMilliseconds
            timer = Task {
                if (try? await time.wait(milliseconds: wait)) != nil { continuation.yield() }
            }
            // Many events may follow each other while a file is written.
            guard (try? await time.wait(milliseconds: Self.pauseMilliseconds)) != nil else { break }
        }
        timer?.cancel()
    }

    /// Reads the state of a path. Returns whether it is new, complete, and the same as when it was seen before.
    private func look(at watched: inout Watched, isWritten: Bool) -> Bool {
        let state = FileTreeState(of: watched.path)
        let isStable = state == watched.seen
        watched.seen = state
        if state.isEmpty {
            watched.yielded = state
            return false
        }
        guard isStable, !isWritten, state != watched.yielded else { return false }
        watched.yielded = state
        return true
    }

    private func parent(of path: String) -> String { (path as NSString).deletingLastPathComponent }

    /// How long a file must not change while the kernel reports changes.
    private static let settlingMilliseconds: Int64 = 200
    private static let pauseMilliseconds: Int64 = 20
    private static let pollMilliseconds: Int64 = 2_000
    private static let rareMilliseconds: Int64 = 30_000
}
