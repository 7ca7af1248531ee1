import Auction
import TestSupport
import Wire

// What a client does as an auctioneer, and as a wanderer between rooms.
extension Client {
    func rule(_ verb: AuctioneerCommand.Verb, isProven: Bool) {
        guard let connection = connect() else { return }
        let proof = Command.Kind.auctioneer(token: Self.auctioneerToken)
        if !isProven {
            sendWrongToken()
        } else if !connection.commands.contains(where: { $0.kind == proof }) {
            prove(Self.auctioneerToken)
        }
        order(verb)
    }

    private func prove(_ token: String) {
        send("auctioneer \(token)", .auctioneer(token: token))
    }

    private func order(_ verb: AuctioneerCommand.Verb) {
        if verb == .end { return endRoom() }
        let neighbour = world.clients[(index + 1) % world.clients.count]
        let words =
            switch verb {
            case .kick: "kick \(neighbour.name) for a reason"
            case .mute, .unmute: "\(verb.rawValue) \(neighbour.name)"
            case .add: "add Lamp format=vickrey seconds=2"
            case .title: "title 3 Renamed"
            case .set: "set seconds=2"
            default: verb.rawValue
            }
        send(words, .ruling(verb))
    }

    /// Orders the end of the room in which it is, or of another that may not be there.
    private func endRoom() {
        let own = room.flatMap { $0.name == .main ? nil : $0.name }
        guard let name = own ?? keys.keys.min() ?? RoomTerms.names.first else { return }
        send("end \(name)", .end(name))
    }

    func sendWrongToken() {
        prove("\(Self.auctioneerToken.dropLast())f")
    }

    /// Opens a room, which may be there, with options that may not go together.
    func openRoom(using dice: inout SplitMix64) {
        guard let terms = world.plan.terms.rooms else { return }
        if dice.chance(in: 8) { prove(Self.auctioneerToken) }
        open(terms.options(using: &dice), using: &dice)
    }

    /// Opens a room of sealed bids, and bids in it.
    func bidSealed(using dice: inout SplitMix64) {
        var options = RoomOptions()
        (options.lot.format, options.lot.seconds, options.lots) = (.sealed, 4, 1)
        claimOwnName()
        open(options, using: &dice)
        bid(using: &dice)
    }

    /// Opens a room of each name and leaves it, as somebody who would hold all rooms.
    func openAndLeaveRooms(using dice: inout SplitMix64) {
        for name in RoomTerms.names.shuffled(using: &dice) {
            open(name, .plain)
            join(.main)
        }
    }

    /// Opens a room of each name as the auctioneer of the server, while another has bid in one.
    func openInFullServer(using dice: inout SplitMix64) {
        let neighbour = world.clients[(index + 1) % world.clients.count]
        neighbour.bidSealed(using: &dice)
        world.at(world.now + .seconds(1)) { [self] in
            prove(Self.auctioneerToken)
            for name in RoomTerms.names { open(name, .plain) }
        }
    }

    /// Ends a room that it has opened, or tries to end another with the key of its own.
    func endOpenedRoom(using dice: inout SplitMix64) {
        goToOwnRoom(using: &dice)
        let isOther = dice.chance(in: 3)
        // Once it knows where it is.
        world.at(world.now + .milliseconds(500)) { [self] in
            guard let room, let key = keys[room.name] else { return }
            prove(key)
            guard isOther else { return endRoom() }
            for name in RoomTerms.names where name != room.name {
                send("end \(name)", .end(name))
            }
        }
    }

    private func open(_ options: RoomOptions, using dice: inout SplitMix64) {
        open(dice.pick(RoomTerms.names), options)
    }

    private func open(_ name: RoomName, _ options: RoomOptions) {
        for amount in [options.lot.reserve, options.lot.buy, options.lot.start, options.purse] {
            amount.map { amounts.noteSent($0.amount) }
        }
        send("open \(name) \(options.line)", .open(name, options))
    }

    /// Goes to a room that is there, or to one that may not be.
    func joinRoom(using dice: inout SplitMix64) {
        let live = world.oracle.rooms.filter { !$0.hasEnded }.map(\.name)
        let names = dice.chance(in: 4) ? RoomTerms.names + [.main] : live
        join(dice.chance(in: 12) ? RoomTerms.unknown : dice.pick(names))
    }

    func join(_ room: RoomName) {
        send("join \(room)", .join(room))
    }

    func listRooms() { send("rooms", .rooms) }

    /// Goes to a room that it has opened, or opens one.
    private func goToOwnRoom(using dice: inout SplitMix64) {
        if keys.isEmpty { openRoom(using: &dice) } else { join(dice.pick(keys.keys.sorted())) }
    }

    /// Proves to be the auctioneer of its room or of another, and orders something, sometimes after
    /// it has left the room.
    func ruleRoom(using dice: inout SplitMix64) {
        if !dice.chance(in: 4) { goToOwnRoom(using: &dice) }
        var dice = SplitMix64(seed: dice.next())
        // Once it knows where it is.
        world.at(world.now + .milliseconds(500)) { [self] in
            guard let own = room.flatMap({ keys[$0.name] }) ?? keys.values.min() else { return }
            prove(own)
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                if dice.chance(in: 6) { joinRoom(using: &dice) }
                order(dice.pick(AuctioneerCommand.Verb.allCases))
            }
        }
    }

    /// Sends another client away from its room, to which that client goes, and comes back.
    func kickFromRoom(using dice: inout SplitMix64) {
        goToOwnRoom(using: &dice)
        let neighbour = world.clients[(index + 1) % world.clients.count]
        for second in [1, 3] {
            world.at(world.now + .seconds(second)) { [self] in
                guard let room, room.keyHash != nil else { return }
                neighbour.claimOwnName()
                neighbour.join(room.name)
            }
        }
        world.at(world.now + .seconds(2)) { [self] in
            guard let key = room.flatMap({ keys[$0.name] }) else { return }
            prove(key)
            order(.kick)
        }
    }
}

extension RoomOptions {
    /// One English lot.
    fileprivate static var plain: RoomOptions {
        var options = RoomOptions()
        (options.lot.seconds, options.lots) = (2, 1)
        return options
    }
}
