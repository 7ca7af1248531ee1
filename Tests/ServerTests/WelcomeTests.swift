import Auction
import Basics
import Server
import Testing
import Web
import Wire

@Suite struct WelcomeTests {
    @Test("the welcome has the address, and how to join")
    func plain() {
        let expected = """
            listening on 127.0.0.1:8000
            bid in a browser:     http://127.0.0.1:8000/
            bid with the client:  auction-client --port 8000 --name alice bid 120
            or by hand:           nc 127.0.0.1 8000  (then type: help)
            this machine only; start with --host 0.0.0.0 to let other machines in
            and on a socket:      nc -U /run/auction
            """
        #expect(Welcome(address: "127.0.0.1:8000", socket: "/run/auction").text == expected)
    }

    @Test("the host learns the link that makes the auctioneer, and where the screen is")
    func host() {
        var welcome = Welcome(address: "0.0.0.0:7777", reachable: ["192.168.1.2"])
        welcome.hostToken = "1f"
        let expected = """
            for the big screen:   http://127.0.0.1:7777/screen
            for the host alone:   http://127.0.0.1:7777/#key=1f
            """
        #expect(welcome.hosting == expected)
        #expect(!welcome.text.contains("1f"))
    }

    @Test("a class has addresses for students, the projector and the teacher")
    func classroom() {
        var welcome = Welcome(address: "127.0.0.1:7777")
        (welcome.hostToken, welcome.leadsClass) = ("1f", true)
        let expected = """
            for students:         http://127.0.0.1:7777/class
            for the projector:    http://127.0.0.1:7777/class/screen
            for the teacher alone: http://127.0.0.1:7777/class/desk#key=1f
            """
        #expect(welcome.hosting == expected)
    }

    @Test("each name of a roster has a link, which students open from their own machines")
    func roster() throws {
        var welcome = Welcome(address: "0.0.0.0:80", reachable: ["192.168.1.2", "10.0.0.1"])
        welcome.roster = [("al", 1), ("Bob_2-c", 2)].compactMap { name, number in
            Bidder(name).map { ($0, Token(high: 0, low: number)) }
        }
        let page = "http://192.168.1.2:80/class"
        let zeros = String(repeating: "0", count: 31)
        let links = """
            al       \(page)#name=al&token=\(zeros)1
            Bob_2-c  \(page)#name=Bob_2-c&token=\(zeros)2
            """
        #expect(welcome.hosting == links)
        welcome.leadsClass = true
        let desk = "\nfor the teacher alone: http://127.0.0.1:80/class/desk\n"
        #expect(welcome.hosting?.contains(desk) == true)
        #expect(!welcome.text.contains(zeros))
        (welcome.hostToken, welcome.leadsClass) = ("1f", true)
        let expected = """
            for students:         \(page)
            for the projector:    http://127.0.0.1:80/class/screen
            for the teacher alone: http://127.0.0.1:80/class/desk#key=1f
            \(links)
            """
        #expect(welcome.hosting == expected)
    }

    @Test("a command that a proxied port would refuse is not offered")
    func proxied() throws {
        let here = try #require(AddressBlock("127.0.0.1"))
        let expected = """
            listening on 127.0.0.1:7777
            only through the proxy: connections from 127.0.0.1 must begin with a PROXY header
            so bidders connect to the proxy, and not to port 7777
            this machine only; start with --host 0.0.0.0 to let other machines in
            """
        #expect(Welcome(address: "127.0.0.1:7777", proxies: [here]).text == expected)
        #expect(!Welcome(address: "0.0.0.0:7777", proxies: [here]).text.contains("nc "))
    }

    @Test("the text has the URLs for other machines, three at most", arguments: [0, 1, 4])
    func reachable(count: Int) {
        let addresses = (0..<count).map { "192.168.1.\($0)" }
        let text = Welcome(address: "0.0.0.0:80", reachable: addresses).text
        let line = text.split(separator: "\n")[4]
        let expected = addresses.prefix(3).map { "http://\($0):80/" }.joined(separator: "  ")
        #expect(
            Welcome(address: "0.0.0.0:80", reachable: addresses).reach
                == .others(addresses.first.map { "http://\($0):80/" }))
        #expect(Welcome(address: "127.0.0.1:80").reach == .thisMachine)
        #expect(line.hasSuffix(count == 0 ? "this machine's address and port 80" : expected))
    }

    @Test("the QR code of the page is shown if other machines can open it")
    func code() throws {
        let reachable = ["192.168.1.5"]
        let lines = try #require(QRCode("http://192.168.1.5:7777/")).terminalLines
        #expect(
            Welcome(address: "0.0.0.0:7777", reachable: reachable).code
                == lines.joined(separator: "\n"))
        #expect(Welcome(address: "0.0.0.0:7777").code == nil)
        #expect(Welcome(address: "127.0.0.1:7777", reachable: reachable).code == nil)
    }

    @Test("a proxy on another machine does not change the commands for this one")
    func proxyElsewhere() throws {
        let elsewhere = try #require(AddressBlock("10.0.0.0/8"))
        let text = Welcome(address: "0.0.0.0:7777", proxies: [elsewhere]).text
        #expect(text.contains("nc 127.0.0.1 7777"))
        let local = try #require(AddressBlock("local"))
        let onSocket = Welcome(address: "127.0.0.1:7777", socket: "/s", proxies: [local]).text
        #expect(onSocket.contains("nc 127.0.0.1 7777"))
        #expect(!onSocket.contains("nc -U"))
    }
}
