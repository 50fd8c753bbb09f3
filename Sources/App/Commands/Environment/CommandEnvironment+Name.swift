extension CommandEnvironment {
    /// The environment whose messages contain the name of the program.
    var withOwnName: CommandEnvironment {
        let program = ProgramName(name: programName)
        var environment = self
        let (output, errorLine, confirm) = (self.output, self.errorLine, self.confirm)
        environment.output = { output(program.applied(to: $0)) }
        environment.errorLine = { errorLine(program.applied(to: $0)) }
        environment.confirm = { confirm(program.applied(to: $0)) }
        return environment
    }
}
