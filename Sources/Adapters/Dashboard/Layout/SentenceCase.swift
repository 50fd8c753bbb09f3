extension String {
    /// The text with a capital first letter. Messages of the command line begin in lower case, sentences on pages do not.
    var inSentenceCase: String { prefix(1).uppercased() + dropFirst() }
}
