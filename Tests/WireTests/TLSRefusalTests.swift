import Testing
import Wire

@Suite struct TLSRefusalTests {
    private static let cases: [(bytes: [UInt8], opening: TLSRefusal.Opening)] = [
        ([], .empty),
        ([0x16], .handshakeByte),
        ([0x16, 0x03], .handshake),
        ([0x16, 0x03, 0x01, 0x02, 0x00] + Array("\nbid 100\n".utf8), .handshake),
        ([0x16, 0x03, 0x04], .handshake),
        ([0x16, 0x02, 0x03], .other),
        ([0x16, 0x16, 0x03], .other),
        ([0x15, 0x03, 0x01], .other),
        ([0x03, 0x16, 0x03], .other),
        (Array("bid 100\n\u{16}\u{3}".utf8), .other),
        ([0x0A, 0x16, 0x03], .other),
    ]

    @Test(
        "a TLS handshake is known by its first two bytes, wherever they are split", arguments: cases
    )
    func opening(bytes: [UInt8], opening: TLSRefusal.Opening) {
        for split in 0...bytes.count {
            let pieces = [Array(bytes[..<split]), Array(bytes[split...])]
            #expect(hearing(pieces) == opening)
        }
        #expect(hearing(bytes.map { [$0] }) == opening)
    }

    private func hearing(_ pieces: [[UInt8]]) -> TLSRefusal.Opening {
        pieces.reduce(.empty) { opening, piece in opening.hearing(piece.span) }
    }

    @Test("the alert is one record, fatal, of the kind protocol_version")
    func alert() {
        #expect(TLSRefusal.alert == [21, 3, 1, 0, 2, 2, 70])
    }
}
