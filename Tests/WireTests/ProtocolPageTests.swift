import Posix
import Testing
import Wire

@Suite struct ProtocolPageTests {
    /// The lines of the examples, without the mark of their sender.
    private static func examples(of mark: Character) throws -> [String] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let page = try readFile("/\(root)/Sources/Wire/Wire.docc/Protocol.md", atMost: 1 << 20)
        return String(decoding: page, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("\(mark) ") }
            .map { String($0.dropFirst(2)) }
    }

    @Test("every line of the server on the protocol's page is read and printed as it stands there")
    func messages() throws {
        let lines = try Self.examples(of: "<")
        #expect(lines.count > 60)
        for line in lines {
            guard line.hasPrefix("{") else {
                #expect(ServerMessage(text: line)?.text == line)
                continue
            }
            let stamped = try #require(StampedMessage(json: line), "\(line)")
            var bytes: [UInt8] = []
            stamped.message.appendJSON(
                to: &bytes, seq: stamped.number, isSnapshot: stamped.isSnapshot,
                millisecondsSince1970: stamped.millisecondsSince1970)
            #expect(String(decoding: bytes.dropLast(), as: UTF8.self) == line)
        }
    }

    @Test("every command on the protocol's page is one")
    func requests() throws {
        let lines = try Self.examples(of: ">")
        #expect(lines.count > 10)
        for line in lines { #expect(try Request(line: line) != nil, "\(line)") }
    }

    private static func fault(of line: String) -> ErrorReply? {
        do throws(ParseError) {
            let request = try Request(line: line)
            Issue.record("parsed as \(request as Any)")
            return nil
        } catch {
            return ErrorReply(error.reason)
        }
    }

    @Test("every stable word of an error is on the protocol's page, as it is sent")
    func faults() throws {
        let lines = try Self.examples(of: "<")
        let faults: [ErrorReply] = [
            .tooLow(minimum: 121), .tooHigh(maximum: 1000), .leading(at: price(120)),
            ErrorReply(.badAmount), .closed, .notNamed,
            ErrorReply(.badName), .nameTaken, .wrongToken, .alreadyNamed(bidder("alice")),
            ErrorReply(.unknownCommand), ErrorReply(.badArguments(usage: "bid AMOUNT")),
            .lineTooLong(limit: 1024), ErrorReply(.notUTF8), .unavailable, .paused, .noBids, .gone,
            .notHere(bidder("bob")), .notAuctioneer, .wrongAuctioneerToken, .full, .addressFull,
            .outbid(minimum: 41), .outbid(minimum: nil), .otherLot(open: 5), .overPurse(left: 860),
            .overPurse(left: 0), .wrongFormat(.english),
            .wrongFormat(.dutch),
            .wrongFormat(.sealed), .sealed, .noBuyPrice, .muted, .tooManyMessages(seconds: 3),
            .tooManyNames(seconds: 3), .tooManyTokens(seconds: 12), .noRoom, .roomTaken,
            .roomsFull, .addressRoomsFull, .notServerAuctioneer, .classTooSmall, .notNow,
            .teacherWithName, .noClass, .nothingToRead, .roomOfClass, .ledByClass, .classOver,
            .notTeacher,
        ]
        let wrong = [
            "add Vase seconds=0", "add seconds=7", "open blue lots=0", "open blue noise=5",
        ]
        for fault in faults + wrong.compactMap(Self.fault) {
            let line = ServerMessage.error(fault, tag: nil).text
            let isThere = lines.contains(line)
            #expect(isThere, "\(line)")
        }
    }
}
