/// The open elements, outermost first, by a hash of their names. Beyond `limit` only their number is kept.
struct ElementStack {
    private static let limit = 1024
    private var names: [UInt64] = []
    private var deeper = 0

    /// The number of open elements.
    var depth: Int { names.count + deeper }

    /// Opens an element.
    mutating func push(_ name: UInt64) {
        if names.count < Self.limit { names.append(name) } else { deeper += 1 }
    }

    /// Closes the innermost element with this name and the elements inside it.
    ///
    /// Returns the number of closed elements: 1 in a well-formed file, 0 if no such element is open.
    mutating func pop(_ name: UInt64) -> Int {
        if deeper > 0 {
            deeper -= 1
            return 1
        }
        if names.last == name {
            names.removeLast()
            return 1
        }
        guard let index = names.lastIndex(of: name) else { return 0 }
        let closed = names.count - index
        names.removeLast(closed)
        return closed
    }

    /// Returns the hash of the name in `range`.
    @inline(__always)
    static func name(_ window: ByteWindow, _ range: ByteRange) -> UInt64 { RawTextCache.hash(window, range) }
}
