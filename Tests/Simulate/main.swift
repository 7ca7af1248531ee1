#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// Plays seeds of the simulation: simulate [SEED] [COUNT].

let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
guard arguments.count <= 2, !arguments.contains(nil) else {
    print("usage: simulate [SEED] [COUNT]")
    exit(2)
}
prepareLastWords()
let numbers = arguments.compactMap { $0 }
if numbers.count == 1 {
    exit(tell(seed: numbers[0]) ? 0 : 1)
}
let first = numbers.first ?? 1
exit(play(seeds: first..<first + (numbers.count == 2 ? numbers[1] : 2000)) ? 0 : 1)
