/// Notices that files of sources changed.
///
/// Contract: a path is yielded once at the start if it exists, and again after each change, when the files at or below
/// it are complete: no process that was noticed writes to them, and their sizes and times have stopped changing. Hidden
/// files are ignored. A change during the work of the receiver is yielded afterwards. Never fails; what cannot be
/// observed is polled.
package protocol SourceChanges: Sendable {
    /// Returns a stream of those of `paths`, files or folders, that changed. Ends when the calling task is cancelled.
    ///
    /// Every change after this method returns is noticed, also before the stream is iterated.
    func changes(of paths: [String]) -> AsyncStream<String>
}
