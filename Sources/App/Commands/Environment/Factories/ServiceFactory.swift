/// What the commands of the user's services need.
package struct ServiceFactory: Sendable {
    /// The result of a call of `systemctl`.
    package struct Result: Sendable, Hashable {
        /// Its exit status.
        package var status: Int32
        /// Its standard output.
        package var output: String
        /// Its standard error.
        package var errors: String

        package init(status: Int32, output: String = "", errors: String = "") {
            self.status = status
            self.output = output
            self.errors = errors
        }
    }

    /// Absolute path of the running program.
    package var program: String
    /// Runs `systemctl --user` with these words. Throws if it cannot be started.
    package var control: @Sendable (_ words: [String]) async throws -> Result

    package init(program: String, control: @escaping @Sendable ([String]) async throws -> Result) {
        self.program = program
        self.control = control
    }
}
