import Foundation
package import HealthSyncDomain
import Synchronization

/// Standard output and standard error of a command: results go to the one, everything else to the other, and a progress
/// bar on the last line of a terminal never runs into either.
///
/// Safe from any thread. A failed write is remembered and told by `finish()`, because a result that did not reach the
/// disk must not look like success.
package final class Console: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var outputError: Int32 = 0
        var bar = ""
    }

    private let output: Int32
    private let error: Int32
    private let state = Mutex(State())

    /// A console over these file descriptors.
    package init(output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        self.output = output
        self.error = error
    }

    /// Whether a person watches standard error.
    package var isErrorTerminal: Bool { isatty(error) == 1 }

    /// Whether results go to a terminal.
    package var isOutputTerminal: Bool { isatty(output) == 1 }

    /// Columns of the terminal on either stream; 80 where there is none.
    package var width: Int {
        var size = winsize()
        for descriptor in [error, output]
        where unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return 80
    }

    /// Asks `question` of the person at the terminal; `nil` where there is none. Only `y` and `yes` mean yes.
    package func confirm(_ question: String) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, isErrorTerminal else { return nil }
        _ = DescriptorWriter.write(Array(question.utf8), to: error)
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    /// Writes `text`, as it is, to standard output; buffered until `flush`, `finish` or 64 KiB.
    package func write(_ text: String) {
        state.withLock { state in
            guard state.outputError == 0 else { return }
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
            _ = DescriptorWriter.write(Array((line + "\n").utf8), to: error)
            show(bar, &state)
        }
    }

    /// Shows `bar` on the last line of standard error in place of the one before; removes it when empty.
    package func showBar(_ bar: String) {
        state.withLock { show(bar, &$0) }
    }

    /// Hands on what was written so far.
    package func flush() {
        state.withLock { flush(&$0) }
    }

    /// Removes the bar, hands on everything and says whether all of it was taken. A reader that went away (`| head`) is
    /// no failure: it has seen what it wanted.
    ///
    /// - Returns: a failure with `.storage` when a write failed.
    package func finish() -> SyncFailure? {
        let code = state.withLock { state in
            show("", &state)
            flush(&state)
            return state.outputError
        }
        guard code != 0, code != EPIPE else { return nil }
        return SyncFailure(
            .storage, subject: "standard output", reason: "cannot be written: \(SystemError.text(code))",
            advice: "make room or write the output elsewhere, and run the command again")
    }

    private func flush(_ state: inout State) {
        guard !state.pending.isEmpty, state.outputError == 0 else { return }
        show("", &state)
        state.outputError = DescriptorWriter.write(state.pending, to: output)
        state.pending.removeAll(keepingCapacity: true)
    }

    private func show(_ bar: String, _ state: inout State) {
        guard bar != state.bar else { return }
        state.bar = bar
        _ = DescriptorWriter.write(Array(("\r\u{1B}[K" + bar).utf8), to: error)
    }
}
