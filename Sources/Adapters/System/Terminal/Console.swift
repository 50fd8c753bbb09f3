import Foundation
package import HealthSyncDomain
import HealthSyncSupport
import Synchronization

/// Standard output and standard error of a command: results go to the former, everything else to the latter, and a
/// progress bar on the last line of a terminal never mixes with either.
///
/// Safe from any thread. A failed write is reported by `finish()`, because lost output must not look like success.
package final class Console: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var outputError: SystemError?
        var bar = ""
        var isAsking = false
    }

    private let output: Int32
    private let error: Int32
    private let state = Mutex(State())

    /// Creates a console on these file descriptors.
    package init(output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        self.output = output
        self.error = error
    }

    /// Whether standard error is a terminal.
    package var isErrorTerminal: Bool { isatty(error) == 1 }

    /// Whether standard output is a terminal.
    package var isOutputTerminal: Bool { isatty(output) == 1 }

    /// The number of columns of the terminal on either stream; 80 without a terminal.
    package var width: Int {
        var size = winsize()
        for descriptor in [error, output]
        where unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return 80
    }

    /// Asks the user `question`; returns `nil` without a terminal. Only `y` and `yes` mean yes.
    package func confirm(_ question: String) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, isErrorTerminal else { return nil }
        return ["y", "yes"].contains(answer(to: question)?.lowercased() ?? "")
    }

    /// Asks the user `question` and returns the line; `nil` without a terminal, or if the input ends.
    package func ask(_ question: String) -> String? {
        guard isatty(STDIN_FILENO) == 1, isErrorTerminal else { return nil }
        return answer(to: question)
    }

    /// Whether a question waits for its answer. Nothing that the question is about has begun.
    package var isAsking: Bool { state.withLock { $0.isAsking } }

    private func answer(to question: String) -> String? {
        state.withLock { $0.isAsking = true }
        defer { state.withLock { $0.isAsking = false } }
        try? DescriptorWriter.write(Array(question.utf8), to: error)
        return readLine()
    }

    /// Writes `text` unchanged to standard output; buffered until `flush`, `finish` or 64 KiB.
    package func write(_ text: String) {
        state.withLock { state in
            guard state.outputError == nil else { return }
            state.pending.append(contentsOf: text.utf8)
            if state.pending.count >= 65_536 { flush(&state) }
        }
    }

    /// Writes `line` and a line feed to standard error.
    package func writeError(_ line: String) {
        state.withLock { state in
            flush(&state)
            let bar = state.bar
            show("", &state)
            try? DescriptorWriter.write(Array((line + "\n").utf8), to: error)
            show(bar, &state)
        }
    }

    /// Replaces the progress bar on the last line of standard error with `bar`; removes it if empty.
    package func showBar(_ bar: String) {
        state.withLock { show(bar, &$0) }
    }

    /// Writes the buffered output.
    package func flush() {
        state.withLock { flush(&$0) }
    }

    /// Removes the bar, writes the buffered output and reports failed writes. A closed pipe (`| head`) is not a
    /// failure: the reader has read what it wanted.
    ///
    /// - Returns: A failure with `.storage` if a write failed.
    package func finish() -> SyncFailure? {
        let error = state.withLock { state in
            show("", &state)
            flush(&state)
            return state.outputError
        }
        guard let error, error.code != EPIPE else { return nil }
        return SyncFailure(
            .storage, subject: "standard output", reason: "cannot be written: \(error.text)",
            advice: "free some space or redirect the output, then run the command again")
    }

    private func flush(_ state: inout State) {
        guard !state.pending.isEmpty, state.outputError == nil else { return }
        show("", &state)
        do throws(SystemError) { try DescriptorWriter.write(state.pending, to: output) } catch {
            state.outputError = error
        }
        state.pending.removeAll(keepingCapacity: true)
    }

    private func show(_ bar: String, _ state: inout State) {
        guard bar != state.bar else { return }
        state.bar = bar
        try? DescriptorWriter.write(Array(("\r\u{1B}[K" + bar).utf8), to: error)
    }
}
