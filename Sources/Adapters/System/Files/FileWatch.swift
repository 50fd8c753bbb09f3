import Foundation
package import HealthSyncPorts

/// Watches files and folders by the events of the kernel on Linux, and by polling elsewhere and as a safety net.
package struct FileWatch: SourceChanges {
    private let time: any TimeSource

    package init(time: any TimeSource) { self.time = time }

    package func changes(of paths: [String]) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let (events, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var watching = Watching(paths) { waking.yield() }
        // Before the stream is returned, so that every later change is noticed.
        let begun = watching.look()
        let task = Task { [watching] in
            await watch(watching, begun, events, waking) { continuation.yield($0) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Looks at the paths after each event and after pauses, until the calling task is cancelled.
    private func watch(
        _ watching: Watching, _ begun: Watching.Look, _ events: AsyncStream<Void>,
        _ waking: AsyncStream<Void>.Continuation, _ yield: @escaping @Sendable (String) -> Void
    ) async {
        var watching = watching
        defer { watching.stop() }
        var timer = wake(waking, after: begun.waitMilliseconds)
        // Many events may follow each other while a file is written.
        guard (try? await time.wait(milliseconds: Self.pauseMilliseconds)) != nil else { return timer.cancel() }
        for await _ in events {
            timer.cancel()
            let look = watching.look()
            look.changed.forEach(yield)
            timer = wake(waking, after: look.waitMilliseconds)
            guard (try? await time.wait(milliseconds: Self.pauseMilliseconds)) != nil else { break }
        }
        timer.cancel()
    }

    private func wake(_ waking: AsyncStream<Void>.Continuation, after milliseconds: Int64) -> Task<Void, Never> {
        Task {
            if (try? await time.wait(milliseconds: milliseconds)) != nil { waking.yield() }
        }
    }

    private static let pauseMilliseconds: Int64 = 20
}

/// The paths of a watch and what is known of them.
private struct Watching: Sendable {
    /// The result of looking at all paths.
    struct Look {
        /// The paths that changed and are complete.
        var changed: [String] = []
        /// How long to wait for an event until the next look.
        var waitMilliseconds: Int64
    }

    /// A watched path.
    private struct Watched {
        let path: String
        /// The state when it was yielded last.
        var yielded: FileTreeState?
        /// The state that was seen last.
        var seen: FileTreeState?
    }

    private var watched: [Watched]
    #if os(Linux)
        private let kernel: FolderEvents?
    #endif

    /// - Parameter changed: called after each change that the kernel reports, on any thread.
    init(_ paths: [String], changed: @escaping @Sendable () -> Void) {
        watched = paths.map { Watched(path: $0) }
        #if os(Linux)
            kernel = FolderEvents(roots: paths, changed: changed)
        #endif
    }

    /// Ends the events of the kernel.
    func stop() {
        #if os(Linux)
            kernel?.stop()
        #endif
    }

    /// Observes all paths and reads their states.
    mutating func look() -> Look {
        var look = Look(waitMilliseconds: Self.rareMilliseconds)
        var isObserved = true
        for index in watched.indices {
            let path = watched[index].path
            let (state, isPathObserved) = observedState(of: path, last: watched[index].seen)
            isObserved = isPathObserved && isObserved
            #if os(Linux)
                let isWritten = kernel?.isBeingWritten(path) ?? false
            #else
                let isWritten = false
            #endif
            if Self.take(state, of: &watched[index], isWritten: isWritten) { look.changed.append(path) }
        }
        if !isObserved {
            look.waitMilliseconds = Self.pollMilliseconds
        } else if watched.contains(where: { $0.seen != $0.yielded }) {
            look.waitMilliseconds = Self.settlingMilliseconds
        }
        return look
    }

    /// Returns the state of a path, and whether the kernel reports every change after it.
    private func observedState(of path: String, last: FileTreeState?) -> (FileTreeState, isObserved: Bool) {
        #if os(Linux)
            guard let kernel else { return (FileTreeState(of: path), false) }
            var folders = Set(last?.folders ?? [])
            var isObserved = kernel.observe([(path as NSString).deletingLastPathComponent] + folders)
            for _ in 0..<Self.mostReadings {
                // After it is observed, so that no change in between is missed.
                let state = FileTreeState(of: path)
                let added = Set(state.folders).subtracting(folders)
                if added.isEmpty { return (state, isObserved) }
                isObserved = kernel.observe(Array(added)) && isObserved
                folders.formUnion(added)
            }
        #endif
        return (FileTreeState(of: path), false)
    }

    /// Notes the state of a path. Returns whether it is new, complete, and the same as when it was seen before.
    private static func take(_ state: FileTreeState, of watched: inout Watched, isWritten: Bool) -> Bool {
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

    /// How long a file must not change while the kernel reports changes.
    private static let settlingMilliseconds: Int64 = 200
    private static let pollMilliseconds: Int64 = 2_000
    private static let rareMilliseconds: Int64 = 30_000
    /// How often a tree is read in a row while folders appear in it.
    private static let mostReadings = 5
}

/// The files at or below a path, by size and time of the last change.
private struct FileTreeState: Hashable, Sendable {
    private struct Entry: Hashable {
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt64
    }

    private var entries: [String: Entry] = [:]
    /// The folders, including the path itself if it is one.
    private(set) var folders: [String] = []

    /// Whether no file exists at or below the path.
    var isEmpty: Bool { entries.isEmpty }

    static func == (one: FileTreeState, other: FileTreeState) -> Bool { one.entries == other.entries }
    func hash(into hasher: inout Hasher) { hasher.combine(entries) }

    /// Reads the state of the files at or below `path`. Hidden files and folders below it are ignored.
    init(of path: String) {
        var left = [(path: path, depth: 0)]
        while let next = left.popLast(), entries.count < Self.mostFiles, folders.count < Self.mostFolders {
            var status = stat()
            guard unsafe stat(next.path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                folders.append(next.path)
                guard next.depth < Self.depth else { continue }
                let names = (try? FileManager.default.contentsOfDirectory(atPath: next.path)) ?? []
                left += names.filter { !$0.hasPrefix(".") }.map { ("\(next.path)/\($0)", next.depth + 1) }
            } else if status.st_mode & S_IFMT == S_IFREG {
                entries[next.path] = Entry(
                    size: Int64(status.st_size), seconds: status.modified.tv_sec, nanoseconds: status.modified.tv_nsec,
                    inode: UInt64(status.st_ino))
            }
        }
    }

    private static let depth = 5
    private static let mostFiles = 100_000
    private static let mostFolders = 2_000
}

extension stat {
    fileprivate var modified: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}
