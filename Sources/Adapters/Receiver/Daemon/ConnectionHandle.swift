import CHealthSyncMicroHTTPD

/// A connection of libmicrohttpd. Its address does not change while it is suspended, so tasks may use the handle.
struct ConnectionHandle: Sendable {
    /// The connection's address in memory, which identifies it among the open connections.
    let key: UInt

    init(_ connection: OpaquePointer) { key = UInt(bitPattern: connection) }

    private var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: key) }

    func suspend() { unsafe MHD_suspend_connection(pointer) }
    func resume() { unsafe MHD_resume_connection(pointer) }

    /// Returns all header lines of the request in their order, names in lower case.
    func headers() -> [RequestHead.Header] {
        var headers: [RequestHead.Header] = []
        _ = unsafe withUnsafeMutablePointer(to: &headers) { list in
            unsafe MHD_get_connection_values_n(
                pointer, .HEADER_KIND,
                { list, _, name, nameLength, value, valueLength in
                    guard let list = unsafe list else { return .NO }
                    let headers = unsafe list.assumingMemoryBound(to: [RequestHead.Header].self)
                    let name = unsafe UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameLength)
                    let value = unsafe UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueLength)
                    unsafe headers.pointee.append(
                        RequestHead.Header(
                            ConnectionHandle.lowerCase(name), String(decoding: value, as: UTF8.self)))
                    return .YES
                }, UnsafeMutableRawPointer(list))
        }
        return headers
    }

    /// Returns the name with its ASCII letters in lower case. Other letters are left alone, because some of them would
    /// become ASCII.
    private static func lowerCase(_ name: UnsafeRawBufferPointer) -> String {
        unsafe String(unsafeUninitializedCapacity: name.count) { buffer in
            for index in 0..<name.count {
                let byte = unsafe name[index]
                unsafe buffer[index] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            }
            return name.count
        }
    }

    /// Queues a response; returns `false` if the library rejects it.
    func queue(_ response: HTTPResponse, status: Int, closes: Bool) -> Bool {
        guard let created = unsafe create(response.body) else { return false }
        defer { unsafe MHD_destroy_response(created) }
        for header in response.headers { unsafe _ = MHD_add_response_header(created, header.name, header.value) }
        if closes { unsafe _ = MHD_add_response_header(created, "Connection", "close") }
        return unsafe MHD_queue_response(pointer, UInt32(clamping: status), created) == .YES
    }

    private func create(_ body: HTTPResponse.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes { content in
                // With MUST_COPY the library only reads the buffer.
                unsafe MHD_create_response_from_buffer(
                    content.count, UnsafeMutableRawPointer(mutating: content.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream(let stream):
            let pump = unsafe Unmanaged.passRetained(StreamPump(stream, connection: self)).toOpaque()
            return unsafe MHD_create_response_from_callback(
                UInt64.max, 64 << 10,
                { pump, _, buffer, size in
                    guard let pump = unsafe pump, let buffer = unsafe buffer else { return -2 }
                    return unsafe Unmanaged<StreamPump>.fromOpaque(pump).takeUnretainedValue()
                        .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
                }, pump,
                { pump in
                    guard let pump = unsafe pump else { return }
                    unsafe Unmanaged<StreamPump>.fromOpaque(pump).release()
                })
        }
    }
}
