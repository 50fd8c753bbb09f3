import CHealthSyncSockets
import Foundation

/// Reports which sockets can be read or written. Any thread may wake it; one thread uses the rest.
final class Poller: Sendable {
    /// What a socket is ready for.
    struct Event {
        let key: UInt64
        let isReadable: Bool
        let isWritable: Bool
    }

    /// The key of the event that follows a call of `wake()`.
    private static let wakeKey = UInt64.max

    // Open as long as the poller exists, because a thread may wait in it while another one wakes it.
    private let descriptor: Int32
    private let waker: Int32

    /// Returns `nil` if the system has no further descriptors.
    init?() {
        descriptor = healthsync_poller_create()
        guard descriptor >= 0 else { return nil }
        waker = healthsync_waker_create(descriptor, Self.wakeKey)
        guard waker >= 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        if waker > 0 { close(waker) }
        close(descriptor)
    }

    /// Starts to observe `socket`.
    func add(_ socket: Socket, key: UInt64, reads: Bool, writes: Bool) {
        _ = socket.withDescriptor { healthsync_poller_set(descriptor, $0, key, reads, writes, true) }
    }

    /// Changes what is observed of `socket`.
    func change(_ socket: Socket, key: UInt64, reads: Bool, writes: Bool) {
        _ = socket.withDescriptor { healthsync_poller_set(descriptor, $0, key, reads, writes, false) }
    }

    func remove(_ socket: Socket) { _ = socket.withDescriptor { healthsync_poller_remove(descriptor, $0) } }

    /// Waits for events, at most `milliseconds`, or without a limit if negative.
    func wait(milliseconds: Int32) -> [Event] {
        var events = [healthsync_event](repeating: healthsync_event(), count: 64)
        let count = unsafe healthsync_poller_wait(descriptor, &events, milliseconds)
        return events.prefix(Int(count)).compactMap { event in
            guard event.key != Self.wakeKey else { return nil }
            return Event(key: event.key, isReadable: event.readable, isWritable: event.writable)
        }
    }

    /// Ends the current or next wait.
    func wake() { healthsync_wake(descriptor, waker) }
}
