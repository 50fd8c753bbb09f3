/// Finds types that a second file continues. A type in one file can keep its state private, and is read from top to bottom.
/// `X+Y.swift` is for types of other modules.
enum OneTypeOneFile {
    static func violations(in tree: SourceTree) -> [String] {
        Dictionary(grouping: tree.files) { FolderCycles.module(of: $0.path) }.values.flatMap { files in
            let declared = Set(files.flatMap { $0.code.compactMap(FolderCycles.declaredType) })
            return files.filter { declared.contains(extendedType($0.path)) }.map(\.path)
        }.sorted()
    }

    /// Returns the type that the name of an extension's file states; an empty text for other files.
    private static func extendedType(_ path: String) -> Substring {
        let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        return name.firstIndex(of: "+").map { name[..<$0] } ?? ""
    }
}
