import Foundation

/// Makes paths absolute without accessing the file system.
struct PathResolver: Sendable {
    /// The user's home folder; `nil` if unknown.
    let home: String?

    /// Returns `path` resolved against `folder`; a leading `~` is the home folder.
    func absolute(_ path: String, from folder: String) -> String {
        if let home, path == "~" || path.hasPrefix("~/") { return Self.normalized(home + path.dropFirst(1)) }
        return Self.normalized(path.hasPrefix("/") ? path : "\(folder)/\(path)")
    }

    /// Removes `.` and empty components. Keeps `..`, because after a symbolic link it does not name the parent folder.
    private static func normalized(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
