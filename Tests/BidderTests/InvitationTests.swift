import Auction
import Bidder
import Testing
import Transport

/// The command and the link that let others join a room.
@Suite struct InvitationTests {
    @Test(
        "the invitation has what differs from the defaults, and says who can use it",
        arguments: [
            (
                .network(host: "192.168.1.5", port: 7777),
                [
                    "others join with: auction-client --host 192.168.1.5 --room blue play",
                    "or in a browser: http://192.168.1.5:7777/rooms/blue",
                ]
            ),
            (
                .network(host: "2001:db8::7", port: 80),
                [
                    "others join with: auction-client --host 2001:db8::7 --port 80 --room blue play",
                    "or in a browser: http://[2001:db8::7]:80/rooms/blue",
                ]
            ),
            (
                .network(host: "127.0.0.1", port: 7777),
                [
                    "on this machine others join with: auction-client --room blue play",
                    "or in a browser: http://127.0.0.1:7777/rooms/blue",
                ]
            ),
            (
                .socket(path: "/run/auction"),
                [
                    "on this machine others join with: "
                        + "auction-client --socket /run/auction --room blue play"
                ]
            ),
            (
                .socket(path: "/tmp/my $HOME's"),
                [
                    "on this machine others join with: "
                        + #"auction-client --socket '/tmp/my $HOME'\''s' --room blue play"#
                ]
            ),
        ] as [(ServerAddress, [String])])
    func invites(server: ServerAddress, lines: [String]) throws {
        #expect(server.invitation(to: try #require(RoomName("blue"))) == lines)
    }
}
