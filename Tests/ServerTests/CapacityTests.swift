import Server
import Testing

@Suite struct CapacityTests {
    @Test(
        "at most the requested connections are open, and 64 files, or half of them, are left",
        arguments: [
            (files: 20_000, asked: 10_000, connections: 10_000),
            (1024, 10_000, 960), (128, 10_000, 64), (127, 10_000, 63), (64, 10_000, 32),
            (64, 10, 10), (1024, nil, 960), (1, 10_000, 1), (Int.max, 10_000, 10_000),
        ] as [(files: Int, asked: Int?, connections: Int)])
    func connections(files: Int, asked: Int?, connections: Int) {
        #expect(Capacity(files: files, asked: asked).connections == connections)
    }

    @Test(
        "the reserve is at most an eighth, and uses spare files before it reduces the connections",
        arguments: [
            (files: 20_000, asked: 10_000, connections: 10_000, reserve: 64),
            (20_000, 19_936, 19_872, 64), (1024, 10_000, 896, 64), (128, 10_000, 56, 8),
            (1, 10, 1, 0),
        ])
    func reserve(files: Int, asked: Int, connections: Int, reserve: Int) {
        let capacity = Capacity(files: files, asked: asked, reserve: 64)
        #expect(capacity.connections == connections && capacity.reserve == reserve)
    }

    @Test(
        "refused connections may be open too, but never use the files kept for other purposes",
        arguments: [
            (files: 20_000, asked: 10_000, openLimit: 12_564), (1024, 10_000, 992),
            (64, 10_000, 48),
            (1024, 10, 76), (20_000, 19_936, 19_968),
        ])
    func openLimit(files: Int, asked: Int, openLimit: Int) {
        #expect(Capacity(files: files, asked: asked).openLimit == openLimit)
    }
}
