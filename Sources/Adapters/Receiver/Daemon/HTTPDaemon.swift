import CHealthSyncMicroHTTPD
import Foundation
import HealthSyncDomain
package import HealthSyncPorts

/// An HTTP/1.1 server over libmicrohttpd.
package final class HTTPDaemon: Sendable {
    /// The host name or address it listens on.
    package let host: String
    /// The port it listens on.
    package let port: Int
    /// The base URL for clients, such as `http://127.0.0.1:8000`.
    package let address: String
    private let context: DaemonContext
    // The address of libmicrohttpd's daemon. Only `stop` uses it, and only once.
    private let daemon: UInt

    /// Starts a server that listens on `settings.host` and `settings.port` and handles requests by `router`.
    ///
    /// - Throws: `SyncFailure` with `.configuration` if the address cannot be used or the TLS settings are invalid.
    package init(
        settings: DaemonSettings, limits: ServerLimits, router: any RequestRouter, observer: any RequestObserver,
        time: any TimeSource
    ) throws {
        context = DaemonContext(
            router: router, limits: limits, time: time, observer: observer,
            isBehindProxy: settings.isBehindProxy,
            acceptsOnlyPrivateAddresses: settings.acceptsOnlyPrivateAddresses)
        var port = settings.port
        let socket = unsafe healthsync_listen(settings.host, &port)
        guard socket >= 0 else {
            let problem = unsafe socket <= -10_000 ? "no such address" : String(cString: strerror(-socket))
            throw SyncFailure(
                .configuration, subject: "\(settings.host):\(settings.port)", reason: "cannot listen: \(problem)",
                advice: settings.bindFailureAdvice)
        }
        host = settings.host
        self.port = Int(port)
        let name = host.contains(":") ? "[\(host)]" : host
        address = "\(settings.tls == nil ? "http" : "https")://\(name):\(port)"
        let started = unsafe Self.start(settings, limits: limits, socket: socket, context: context)
        guard let started = unsafe started else {
            close(socket)
            throw SyncFailure(
                .configuration, subject: "\(settings.host):\(port)", reason: "cannot start the HTTP library",
                advice: settings.tls == nil
                    ? "see the messages above" : "check that the certificate and key are valid PEM and match")
        }
        daemon = UInt(bitPattern: started)
    }

    private static func start(
        _ settings: DaemonSettings, limits: ServerLimits, socket: Int32, context: DaemonContext
    ) -> OpaquePointer? {
        var values = unsafe healthsync_daemon_settings()
        unsafe values.listen_socket = socket
        unsafe values.connection_limit = UInt32(clamping: limits.connections)
        unsafe values.idle_timeout_seconds = UInt32(clamping: max(1, limits.idleMilliseconds / 1000))
        unsafe values.header_memory = limits.headerMemory
        unsafe values.accept = acceptConnection
        unsafe values.connection_changed = connectionChanged
        unsafe values.target_read = targetRead
        unsafe values.handle = handleRequest
        unsafe values.completed = requestCompleted
        // Retained for the callbacks until `stop`. If the daemon cannot be stopped, it keeps the context until the
        // process ends.
        unsafe values.context = Unmanaged.passRetained(context).toOpaque()
        guard let tls = settings.tls else { return unsafe healthsync_daemon_start(&values) }
        return unsafe tls.certificate.withCString { certificate in
            unsafe tls.privateKey.withCString { key in
                unsafe values.certificate = certificate
                unsafe values.private_key = key
                return unsafe healthsync_daemon_start(&values)
            }
        }
    }

    /// Closes connections that exceed their deadlines, until the calling task is cancelled; then throws
    /// `CancellationError`.
    package func watch() async throws {
        while true {
            try await context.time.wait(milliseconds: 250)
            context.connections.shutDownOverdue(at: context.time.now())
        }
    }

    /// Stops accepting connections, finishes the current requests and stops the server. May be called once.
    ///
    /// - Returns: whether all current requests were finished within `graceMilliseconds`.
    package func stop(graceMilliseconds: Int64 = 30_000) async -> Bool {
        context.beginStopping()
        let pointer = unsafe OpaquePointer(bitPattern: daemon)
        let listening = unsafe MHD_quiesce_daemon(pointer)
        if listening >= 0 { close(listening) }
        let deadline = context.time.now().advanced(byMilliseconds: graceMilliseconds)
        while context.connections.busyCount > 0, context.time.now() < deadline {
            context.connections.shutDownOverdue(at: context.time.now())
            do { try await context.time.wait(milliseconds: 10) } catch { break }
        }
        // The library must not be stopped while requests are suspended. The process is about to exit anyway.
        guard context.connections.busyCount == 0 else { return false }
        context.connections.shutDownIdle()
        await Self.stopLibrary(daemon)
        unsafe Unmanaged.passUnretained(context).release()
        return true
    }

    /// Stops libmicrohttpd on a thread of its own, because the call blocks until the polling thread has ended.
    private static func stopLibrary(_ daemon: UInt) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                unsafe MHD_stop_daemon(OpaquePointer(bitPattern: daemon))
                continuation.resume()
            }
        }
    }

    /// The version of libmicrohttpd.
    package static var libraryVersion: String { unsafe String(cString: MHD_get_version()) }
}
