import Foundation

/// Makes paths absolute without looking at the disk.
struct PathResolver: Sendable {
    /// The person's home folder; `nil` where unknown.
    let home: String?

    /// `path` as seen from `folder`; `~` and what follows it is below the home folder.
    func absolute(_ path: String, from folder: String) -> String {
        if let home, path == "~" || path.hasPrefix("~/") { return Self.standard(home + path.dropFirst(1)) }
        return Self.standard(path.hasPrefix("/") ? path : "\(folder)/\(path)")
    }

    /// Without `.`, empty and trailing parts. `..` stays: behind a link it is not the folder above.
    private static func standard(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
