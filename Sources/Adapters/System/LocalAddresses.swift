import Foundation

/// The addresses of this machine.
package enum LocalAddresses {
    /// The name of this machine, without its domain.
    package static var hostName: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            unsafe text.initialize(repeating: 0)
            guard let start = text.baseAddress, unsafe gethostname(start, text.count - 1) == 0 else {
                return "computer"
            }
            return unsafe String(String(cString: start).prefix { $0 != "." })
        }
    }

    /// Returns the numeric IPv4 addresses of the network interfaces that are up, without loopback.
    package static func all() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var addresses: [String] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            let flags = unsafe Int32(bitPattern: entry.pointee.ifa_flags)
            guard let address = unsafe entry.pointee.ifa_addr, unsafe address.pointee.sa_family == sa_family_t(AF_INET),
                flags & Int32(IFF_UP) != 0,
                flags & Int32(IFF_LOOPBACK) == 0
            else { continue }
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
                guard let start = text.baseAddress,
                    unsafe getnameinfo(address, length, start, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
                else { return }
                addresses.append(unsafe String(cString: start))
            }
        }
        return addresses
    }
}
