/// Finds folders of few files. A folder is a topic that several files share; the file of a smaller one belongs to the folder above.
enum FolderSizes {
    static let fewestFiles = 3

    /// Returns `folder: number of files`. The folder of a target and a folder of folders may have any number.
    static func violations(in tree: SourceTree) -> [String] {
        let folders = Dictionary(grouping: tree.files) { file in
            file.path.split(separator: "/").dropLast().joined(separator: "/")
        }
        return folders.filter { folder, files in
            files.count < fewestFiles && FolderCycles.module(of: files[0].path) != folder
                && !folders.keys.contains { $0.hasPrefix(folder + "/") }
        }
        .map { "\($0.key): \($0.value.count) files" }.sorted()
    }
}
