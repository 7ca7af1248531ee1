import Arguments
import Basics
import Bidder
import Posix
import Strategies
import Terminal

/// One run of the command `bots`.
struct BotsRun {
    private let client: BotClient
    private let count: Int
    private let stays: Bool

    /// Reads the command line.
    ///
    /// - Throws: `UsageError` if flags or operands do not fit together, or `SystemError` if no
    ///   descriptor is free.
    init(_ invocation: Invocation) throws {
        guard !invocation[Flags.json], !invocation[Flags.plain] else {
            throw Flags.program.misuse("bots prints a table: leave out --json and --plain")
        }
        count = try Flags.botCount(invocation)
        stays = invocation[Flags.stay]
        let bots = [Bot](
            count, of: invocation[Flags.strategy], like: Self.settings(of: invocation))
        let paint = LinePaint(isColoured: ClientRun.isColoured(invocation[Flags.color]))
        client = try BotClient(bots, at: try Flags.server(invocation)) { effect in
            switch effect {
            case .say(let sentence): try printLine(paint.text(of: sentence))
            case .note(let text): StandardStream.error.say(text.harmless)
            case .complain(let text): complain(text)
            case .connect, .disconnect, .send, .keep, .show, .bell, .redraw, .suspend, .exit: break
            }
        }
    }

    /// Plays until the sale is over or a signal arrives, and returns the exit code.
    func run() throws -> ExitCode {
        let subject = count == 1 ? "1 bot plays" : "\(count) bots play"
        let end = stays ? "" : "the sale is over, or "
        StandardStream.error.say("\(subject) until \(end)you press Ctrl-C")
        return try client.run()
    }

    /// What all bots have in common.
    private static func settings(of invocation: Invocation) -> Bot.Settings {
        let seed = invocation[Flags.seed]
        var settings = Bot.Settings(
            invocation[Flags.strategy][0], names: BotNames(for: 1, seed: seed)[0],
            prior: invocation[Flags.worth], seed: seed)
        settings.temper = invocation[Flags.temper]
        settings.delay = invocation[Flags.delay]
        settings.room = invocation[Flags.room]
        settings.isQuiet = invocation[Flags.quiet]
        settings.stays = invocation[Flags.stay]
        return settings
    }
}
