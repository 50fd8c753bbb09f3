/// A version of stored data; equal only for equal data.
public struct DataVersion: Hashable, Sendable {
    private let text: String

    /// Creates the version that the store identifies by `text`.
    public init(_ text: String) { self.text = text }
}
