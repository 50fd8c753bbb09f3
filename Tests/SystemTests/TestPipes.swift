import Foundation

/// Two pipes that replace standard output and standard error.
final class TestPipes {
    private let outputPipe = Pipe()
    private let errorPipe = Pipe()

    var output: Int32 { outputPipe.fileHandleForWriting.fileDescriptor }
    var error: Int32 { errorPipe.fileHandleForWriting.fileDescriptor }

    func closeReaders() throws {
        try outputPipe.fileHandleForReading.close()
        try errorPipe.fileHandleForReading.close()
    }

    /// Closes the write ends and returns the output, at most what fits into a pipe.
    func contents() throws -> (output: String, error: String) {
        (try Self.rest(of: outputPipe), try Self.rest(of: errorPipe))
    }

    private static func rest(of pipe: Pipe) throws -> String {
        try pipe.fileHandleForWriting.close()
        return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
}
