import CHealthSyncMicroHTTPD
import HealthSyncDomain
import HealthSyncPorts
import Synchronization

// libmicrohttpd calls these functions on its polling thread. None of them blocks: longer work runs in a task while the
// connection is suspended.

/// Decides whether to accept a connection from `address`.
func acceptConnection(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> MHD_Result {
    guard let context = unsafe DaemonContext.at(context) else { return .NO }
    return context.connections.accepts(unsafe addressText { unsafe healthsync_address_text(address, $0, $1) })
        ? .YES : .NO
}

/// Updates the connection table when a connection was opened or closed.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ event: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe DaemonContext.at(context), let connection = unsafe connection else { return }
    let key = UInt(bitPattern: connection)
    if event == .CONNECTION_NOTIFY_STARTED {
        context.connections.opened(
            key, socket: unsafe healthsync_connection_socket(connection),
            address: unsafe addressText { unsafe healthsync_connection_address(connection, $0, $1) },
            at: context.time.now())
    } else {
        context.connections.closed(key)
    }
}

/// Creates the exchange of a request whose request line was read.
func targetRead(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context = unsafe DaemonContext.at(context), let connection = unsafe connection else { return nil }
    let now = context.time.now()
    context.connections.set(.head, of: UInt(bitPattern: connection), at: now)
    let text = unsafe target.map { unsafe String(cString: $0) } ?? ""
    return unsafe Unmanaged.passRetained(Exchange(number: context.nextRequest(), target: text, startedAt: now))
        .toOpaque()
}

/// Releases the exchange of a request that ended, successfully or not.
func requestCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let context = unsafe DaemonContext.at(context), let connection = unsafe connection,
        let pointer = unsafe exchange?.pointee
    else { return }
    let ended = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    unsafe exchange?.pointee = nil
    context.ended(ended, on: UInt(bitPattern: connection))
}

/// Handles the head of a request, a piece of its body, or its end.
func handleRequest(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe DaemonContext.at(context), let connection = unsafe connection,
        let pointer = unsafe exchange?.pointee, let size = unsafe size
    else { return .NO }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    let handle = unsafe ConnectionHandle(connection)
    guard unsafe size.pointee == 0 else {
        let piece = unsafe UnsafeRawBufferPointer(start: data, count: size.pointee)
        unsafe size.pointee = 0
        return unsafe context.append(piece, to: exchange, on: handle) ? .YES : .NO
    }
    switch exchange.state.withLock({ $0.phase }) {
    case .head:
        let headers = handle.headers()
        let head = RequestHead(
            number: exchange.number, method: unsafe method.map { unsafe String(cString: $0) } ?? "",
            target: exchange.target,
            version: unsafe version.map { unsafe String(cString: $0) } ?? "", headers: headers,
            remoteAddress: context.clientAddress(
                peer: context.connections.address(of: handle.key),
                forwarded: RequestHead.values("x-forwarded-for", in: headers).last))
        return context.begin(exchange, head: head, on: handle)
    case .decided(let admission): return context.proceed(exchange, with: admission, on: handle)
    case .reading(let caller): return context.respond(to: exchange, from: caller, on: handle)
    case .discarding(let response), .ready(let response): return context.send(response, of: exchange, on: handle)
    case .deciding, .responding, .sent: return .YES
    }
}

private func addressText(_ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        guard let start = buffer.baseAddress, unsafe write(start, buffer.count) != 0 else { return "" }
        return unsafe String(cString: start)
    }
}

extension DaemonContext {
    fileprivate static func at(_ pointer: UnsafeMutableRawPointer?) -> DaemonContext? {
        unsafe pointer.map { unsafe Unmanaged<DaemonContext>.fromOpaque($0).takeUnretainedValue() }
    }
}
