import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Many bots on one event loop, each with a connection of its own.
///
/// It ends when all bots have ended: after the sale, after a signal, or because they cannot play.
package final class BotClient {
    private var bots: [(bot: Bot, connection: ServerConnection, tables: Int)]
    private let perform: (ClientEffect) throws -> Void
    private let loop: EventLoop
    private let signals: SignalPipe
    private let signalHandle: Handle
    /// The exit codes of the bots that have ended.
    private var codes: [ExitCode] = []
    /// How many standings were printed, of the games for which every bot asks for them.
    private var printedTables = 0
    /// The notes and errors that were printed, each once for all bots.
    private var messages: Set<String> = []
    /// How many signals arrived.
    private var signalCount = 0

    /// Creates the loop of bots that are not connected yet; `perform` prints their messages.
    ///
    /// - Throws: `SystemError` if no descriptor is free.
    package init(
        _ bots: [Bot], at server: ServerAddress,
        perform: @escaping (ClientEffect) throws -> Void
    ) throws {
        self.perform = perform
        loop = try EventLoop()
        signals = try SignalPipe(signals: [SIGINT, SIGTERM, SIGHUP])
        signalHandle = try loop.register(signals.descriptor, for: .readable)
        self.bots = bots.map { [loop] in ($0, ServerConnection(to: server, loop: loop), 0) }
    }

    /// Plays until the sale is over or a signal arrives, and returns the exit code.
    ///
    /// The first signal ends it after the standings, a second one at once.
    ///
    /// - Throws: `SystemError` if the loop fails, or an error of `perform`.
    package func run() throws -> ExitCode {
        for index in bots.indices { try carryOut(bots[index].bot.begin(), of: index) }
        try loop.run { [self] ready, _ in
            try attend(to: ready)
            for index in bots.indices {
                try handle(bots[index].connection.poll(), of: index)
                try carryOut(bots[index].bot.wake(at: .now), of: index)
                bots[index].connection.flush()
            }
            if isAborted || bots.allSatisfy({ $0.bot.hasEnded }) { loop.stop() }
            return bots.compactMap { $0.bot.deadline }.min()
        }
        guard !isAborted else { return .lost }
        return codes.contains(.done) ? .done : codes.first ?? .lost
    }

    /// Whether a second signal arrived, which ends the run at once.
    private var isAborted: Bool { signalCount > 1 }

    private func attend(to ready: [Readiness]) throws {
        for readiness in ready {
            if readiness.handle == signalHandle {
                while signals.next() != nil { try countSignal() }
                continue
            }
            for index in bots.indices {
                try handle(bots[index].connection.handle(readiness), of: index)
            }
        }
    }

    private func countSignal() throws {
        signalCount += 1
        guard signalCount == 1 else { return }
        for index in bots.indices { try carryOut(bots[index].bot.finish(at: .now), of: index) }
    }

    private func handle(_ events: [ServerConnection.Event], of index: Int) throws {
        for event in events {
            try carryOut(bots[index].bot.receive(event, at: .now), of: index)
        }
    }

    private func carryOut(_ effects: [ClientEffect], of index: Int) throws {
        let says = effects.contains { if case .say = $0 { true } else { false } }
        if says { bots[index].tables += 1 }
        let isRepeated = bots[index].tables <= printedTables
        printedTables = max(printedTables, bots[index].tables)
        for effect in effects {
            switch effect {
            case .send(let line): bots[index].connection.send(line)
            case .connect: bots[index].connection.connect()
            case .disconnect: bots[index].connection.disconnect()
            case .exit(let code): codes.append(code)
            case .say: if !isRepeated { try perform(effect) }
            case .note(let text), .complain(let text):
                if messages.insert(text).inserted { try perform(effect) }
            // A bot shows no lines, keeps no token and has no screen.
            case .show, .keep, .redraw, .suspend, .bell: break
            }
        }
    }
}
