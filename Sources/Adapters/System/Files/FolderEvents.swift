#if os(Linux)
    import Foundation
    import Synchronization

    /// The events of the kernel about files in folders, by inotify. Call `stop` after use.
    final class FolderEvents: Sendable {
        private struct State {
            var pathsByWatch: [Int32: String] = [:]
            /// Files that a process has created or written to and not closed.
            var open: Set<String> = []
        }

        private let roots: [String]
        private let descriptor: Int32
        /// A write to it ends the thread.
        private let stopping: FileHandle
        private let state = Mutex(State())

        /// Returns `nil` if the kernel offers no further instance of inotify.
        ///
        /// - Parameters:
        ///   - roots: the files and folders of interest.
        ///   - changed: called after each change at or below one of them, on a thread of its own.
        init?(roots: [String], changed: @escaping @Sendable () -> Void) {
            self.roots = roots
            descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            let pipe = Pipe()
            stopping = pipe.fileHandleForWriting
            guard descriptor >= 0 else { return nil }
            Thread.detachNewThread { [self] in
                wait(until: pipe.fileHandleForReading, changed)
                close(descriptor)
            }
        }

        /// Ends the thread. Nothing else may be called afterwards.
        func stop() { try? stopping.close() }

        private func wait(until end: FileHandle, _ changed: () -> Void) {
            var descriptors = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end.fileDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            while true {
                let count = unsafe descriptors.withUnsafeMutableBufferPointer {
                    unsafe poll($0.baseAddress, nfds_t($0.count), -1)
                }
                if descriptors[1].revents != 0 || count < 0 && errno != EINTR { return }
                if count > 0, read() { changed() }
            }
        }

        /// Whether a process has created or written to a file at or below `path` and not closed it.
        func isBeingWritten(_ path: String) -> Bool {
            state.withLock { state in state.open.contains { $0 == path || $0.hasPrefix(path + "/") } }
        }

        /// Observes `folders`, which may be observed already. Returns whether all of them are observed.
        func observe(_ folders: [String]) -> Bool {
            folders.reduce(true) { all, folder in
                let watch = unsafe inotify_add_watch(descriptor, folder, Self.mask)
                if watch >= 0 { state.withLock { $0.pathsByWatch[watch] = folder } }
                return all && watch >= 0
            }
        }

        /// Reads the events. Returns whether one is about the roots.
        private func read() -> Bool {
            var isRelevant = false
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = unsafe bytes.withUnsafeMutableBytes {
                    unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
                }
                guard count > 0 else { return isRelevant }
                let events = unsafe bytes.withUnsafeBytes {
                    unsafe note(UnsafeRawBufferPointer(rebasing: $0[0..<count]))
                }
                isRelevant = events || isRelevant
            }
        }

        private func note(_ events: UnsafeRawBufferPointer) -> Bool {
            let header = MemoryLayout<inotify_event>.size
            var isRelevant = false
            var offset = 0
            while offset + header <= events.count {
                let event = unsafe events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = min(events.count, offset + header + Int(event.len))
                let name = unsafe events[(offset + header)..<end].prefix { $0 != 0 }
                let text = unsafe String(decoding: name, as: UTF8.self)
                isRelevant = note(event.mask, of: event.wd, name: text) || isRelevant
                offset = end
            }
            return isRelevant
        }

        private func note(_ mask: UInt32, of watch: Int32, name: String) -> Bool {
            state.withLock { state in
                if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    // Events were lost, perhaps those of closing.
                    state.open.removeAll()
                    return true
                }
                guard let folder = state.pathsByWatch[watch] else { return false }
                if mask & UInt32(IN_IGNORED) != 0 {
                    state.pathsByWatch[watch] = nil
                    return true
                }
                let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
                guard !name.hasPrefix("."), roots.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else {
                    return false
                }
                // An empty file that was created is about to be written.
                let isBegun = mask & UInt32(IN_CREATE) != 0 && Self.isEmptyFile(path)
                if isBegun || mask & UInt32(IN_MODIFY) != 0 { state.open.insert(path) }
                if mask & Self.complete != 0 { state.open.remove(path) }
                return true
            }
        }

        /// Whether `path` is an empty regular file with one name. The kernel reports a hard link as created, too, but never
        /// as closed.
        private static func isEmptyFile(_ path: String) -> Bool {
            var status = stat()
            return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
                && status.st_size == 0
        }

        private static let complete =
            UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
            | UInt32(IN_DELETE)
        private static let mask = complete | UInt32(IN_MODIFY) | UInt32(IN_CREATE)
    }
#endif
