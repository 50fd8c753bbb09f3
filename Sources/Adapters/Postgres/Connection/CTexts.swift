import Foundation

/// Strings as a NULL-terminated array of C strings.
@safe struct CTexts {
    private let texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        let copies = unsafe texts.map { unsafe UnsafePointer<CChar>(strdup($0)) }
        defer { unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        return unsafe body(copies + [nil])
    }
}
