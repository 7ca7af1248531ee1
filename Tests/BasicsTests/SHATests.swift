import Basics
import Testing

@Suite struct SHA256Tests {
    @Test(
        "the hashes are those of the examples of FIPS 180-4",
        arguments: [
            (
                "abc", 1,
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                1,
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            (
                "a", 1_000_000,
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
            (
                "", 1,
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            ),
        ])
    func vectors(text: String, count: Int, digest: String) {
        let message = Array(String(repeating: text, count: count).utf8)
        #expect(digits(SHA256.digest(of: message)) == digest)
    }

    @Test("a message of any length is padded to whole blocks")
    func lengths() {
        let hashes = (0..<130).map { SHA256.digest(of: Array(repeating: 0x61, count: $0)) }
        #expect(
            digits(SHA256.digest(of: hashes.flatMap { $0 }))
                == "39a48225ae6069c68f7c9f867bf47f4a2e188c3903dd919926b8259a73ecada5")
    }
}

@Suite struct SHA1Tests {
    @Test(
        "the hashes are those of RFC 3174",
        arguments: [
            ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
            (
                "0123456701234567012345670123456701234567012345670123456701234567", 10,
                "dea356a2cddd90c7a7ecedc5ebb563934f460452"
            ),
            ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ])
    func vectors(text: String, count: Int, digest: String) {
        let message = Array(String(repeating: text, count: count).utf8)
        #expect(digits(SHA1.digest(of: message)) == digest)
    }

    @Test(
        "the hashes with a key are those of RFC 2202",
        arguments: [
            (
                Array(repeating: 0x0B, count: 20), "Hi There",
                "b617318655057264e28bc0b6fb378c8ef146be00"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
            ),
            (
                Array(repeating: 0xAA, count: 80),
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "aa4ae5e15272d00e95705637ce8a3b55ed402112"
            ),
        ] as [([UInt8], String, String)])
    func keyed(key: [UInt8], text: String, digest: String) {
        #expect(digits(SHA1.digest(of: Array(text.utf8), key: key)) == digest)
    }
}

private func digits(_ digest: [UInt8]) -> String {
    digest.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
}
