import CHealthSyncMicroHTTPD

/// A connection of the library. It stays where it is while it is suspended, so a task may carry it.
struct ConnectionHandle: Sendable {
    /// The connection's address in memory: its name among the open ones.
    let key: UInt

    init(_ connection: OpaquePointer) { key = UInt(bitPattern: connection) }

    /// The connection itself.
    private var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: key) }

    func suspend() { unsafe MHD_suspend_connection(pointer) }
    func resume() { unsafe MHD_resume_connection(pointer) }

    /// All header lines of the request in their order, names in lower case.
    func headers() -> [RequestHead.Header] {
        var headers: [RequestHead.Header] = []
        _ = unsafe withUnsafeMutablePointer(to: &headers) { room in
            unsafe MHD_get_connection_values_n(
                pointer, .HEADER_KIND,
                { room, _, name, nameLength, value, valueLength in
                    guard let room = unsafe room else { return .NO }
                    let headers = unsafe room.assumingMemoryBound(to: [RequestHead.Header].self)
                    let name = unsafe UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameLength)
                    let value = unsafe UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueLength)
                    unsafe headers.pointee.append(
                        RequestHead.Header(
                            ConnectionHandle.lowerCase(name), String(decoding: value, as: UTF8.self)))
                    return .YES
                }, UnsafeMutableRawPointer(room))
        }
        return headers
    }

    /// The name with its ASCII letters in lower case; of other letters some would become ASCII, and are left.
    private static func lowerCase(_ name: UnsafeRawBufferPointer) -> String {
        unsafe String(unsafeUninitializedCapacity: name.count) { room in
            for index in 0..<name.count {
                let byte = unsafe name[index]
                unsafe room[index] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            }
            return name.count
        }
    }

    /// Hands an answer over; `false` where the library refuses it.
    func queue(_ response: HTTPResponse, status: Int, closes: Bool) -> Bool {
        guard let made = unsafe make(response.body) else { return false }
        defer { unsafe MHD_destroy_response(made) }
        for header in response.headers { unsafe _ = MHD_add_response_header(made, header.name, header.value) }
        if closes { unsafe _ = MHD_add_response_header(made, "Connection", "close") }
        return unsafe MHD_queue_response(pointer, UInt32(clamping: status), made) == .YES
    }

    private func make(_ body: HTTPResponse.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes { content in
                // MUST_COPY: the library only reads what is given to it.
                unsafe MHD_create_response_from_buffer(
                    content.count, UnsafeMutableRawPointer(mutating: content.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream(let stream):
            let pump = unsafe Unmanaged.passRetained(StreamPump(stream, connection: self)).toOpaque()
            return unsafe MHD_create_response_from_callback(
                UInt64.max, 64 << 10,
                { pump, _, room, size in
                    guard let pump = unsafe pump, let room = unsafe room else { return -2 }
                    return unsafe Unmanaged<StreamPump>.fromOpaque(pump).takeUnretainedValue()
                        .read(into: UnsafeMutableRawBufferPointer(start: room, count: size))
                }, pump,
                { pump in
                    guard let pump = unsafe pump else { return }
                    unsafe Unmanaged<StreamPump>.fromOpaque(pump).release()
                })
        }
    }
}
