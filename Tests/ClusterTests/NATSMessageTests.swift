import Cluster
import Testing

@Suite struct NATSMessageTests {
    @Test func theFirstOfSeveralHeadersOfOneNameCounts() {
        let message = NATSMessage(
            "a", headers: [.init("N", "1"), .init("N", "2"), .init("n", "3")])
        #expect(message[header: "N"] == "1")
        #expect(message[header: "X"] == nil)
    }
}
