/// What a command line that was understood asks for.
public enum Parsed: Sendable {
    /// The help or the version, without its last newline: to be printed, with success.
    case print(String)
    /// The program itself.
    case run(Invocation)
}

/// The flags, the command and the operands of one run of a program.
public struct Invocation: Sendable {
    /// The command; nil exactly when the program declares none.
    public let command: Command?
    /// The words after the command, in order, as many as it declares.
    public let operands: [String]
    /// The words given for every flag declared, none where it was left out.
    let words: [String: [String]]
    /// The names of the flags on the command line, without those from the environment.
    let given: Set<String>

    /// The value of a flag, of its variable, or its default.
    ///
    /// The flag must be one that the program declares.
    public subscript<Value>(flag: Flag<Value>) -> Value {
        guard let given = words[flag.declaration.name] else {
            preconditionFailure("\(flag.declaration.spelling) is not declared by this program")
        }
        return flag.value(given)
    }

    /// Whether a flag stands on the command line.
    public func isGiven<Value>(_ flag: Flag<Value>) -> Bool {
        given.contains(flag.declaration.name)
    }
}
