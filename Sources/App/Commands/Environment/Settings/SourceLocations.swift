import HealthSyncDomain
import HealthSyncPorts

/// Interprets the texts by which the user names sources: paths, and URLs of plug-in formats.
struct SourceLocations {
    private let paths: PathResolver
    private let schemes: Set<String>
    private let files: any LocalFiles

    init(_ environment: CommandEnvironment) {
        paths = PathResolver(home: environment.variables["HOME"])
        schemes = environment.factory.sourceSchemes
        files = environment.files
    }

    /// Returns an absolute path, or a URL as it was written. A text of the form `scheme:rest` with an unknown scheme is
    /// a path if there is such a file, and a URL otherwise, so that the error mentions the scheme.
    ///
    /// Throws `.usage` for an empty text, which would name the working folder.
    func location(_ text: String, from folder: String) throws(SyncFailure) -> String {
        guard !text.isEmpty else { throw .usage("SOURCE", "empty path", advice: "name a file, folder or archive") }
        let path = paths.absolute(text, from: folder)
        guard let scheme = SourceURL.scheme(of: text) else { return path }
        guard !schemes.contains(scheme) else { return text }
        return (try? files.status(of: path)) == nil ? text : path
    }

    /// Splits a list at its colons, except after a known scheme.
    func split(_ list: String) -> [String] {
        var parts = list.split(separator: ":").map(String.init)
        for index in parts.indices.dropLast().reversed() where schemes.contains(parts[index].lowercased()) {
            parts[index] += ":" + parts.remove(at: index + 1)
        }
        return parts
    }
}
