/// A format of sources: recognizes what the user named and opens it.
///
/// The formats passed to `HealthSync.main(adding:sources:senders:decoders:)` are asked before the built-in ones, in
/// their order. A file belongs to the first format that recognizes it. In a folder every format may find sources, and
/// all of them are read.
///
/// Contract (`HealthSourceFormatContract` in HealthSyncTestKit checks it): opening changes nothing, reads no more than
/// the head of a file, and can be repeated. A format recognizes files by their content, not only by their name.
public protocol HealthSourceFormat: Sendable {
    /// The name in messages, such as `CSV of samples`. A singular noun phrase without an article.
    var name: String { get }
    /// The URL schemes of this format in lower case and without the colon, such as `csv` for `csv:/data/steps.csv`;
    /// empty if it is recognized by path only. At least two characters each.
    var schemes: [String] { get }

    /// Returns the sources at `location`, or `nil` if they are of another format.
    ///
    /// - Parameters:
    ///   - location: an absolute path, or a URL with one of `schemes` exactly as the user wrote it.
    ///   - context: what the program knows about the user.
    /// - Throws: `SyncFailure` with `.noInput` or `.badInput` for a source of this format that cannot be opened.
    func sources(at location: String, in context: SourceContext) async throws -> FoundSources?
}
