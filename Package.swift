// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "auction",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Reactive", targets: ["Reactive"]),
        .library(name: "Auction", targets: ["Auction"]),
        .library(name: "Wire", targets: ["Wire"]),
    ],
    targets: [
        // The pure core: no sockets, no files, no clock.
        .target(name: "Basics"),
        .target(name: "Reactive", dependencies: ["Basics"]),
        .target(name: "Arguments"),
        .target(name: "Auction", dependencies: ["Basics"]),
        .target(name: "Strategies", dependencies: ["Auction"]),
        .target(name: "Web", dependencies: ["Basics"], resources: [.embedInCode("Page")]),
        .target(name: "Wire", dependencies: ["Auction", "Basics"]),
        .target(
            name: "House", dependencies: ["Auction", "Basics", "Strategies", "Web", "Wire"]),

        // The state machines of several machines: no sockets, no clock.
        .target(name: "Cluster", dependencies: ["Auction", "Basics", "House", "Wire"]),

        // The mechanisms of I/O, without a rule of the game.
        .systemLibrary(name: "CLinux"),
        .target(name: "Posix", dependencies: ["Basics", "CLinux"]),
        .target(name: "Journal", dependencies: ["Basics", "CLinux", "Posix"]),
        .target(name: "Transport", dependencies: ["Basics", "CLinux", "Posix"]),

        // The shells, and the programs.
        .target(
            name: "Server",
            dependencies: [
                "Auction", "Basics", "Cluster", "House", "Journal", "Posix", "Reactive",
                "Strategies", "Transport", "Web", "Wire",
            ]),
        .target(
            name: "Bidder",
            dependencies: ["Auction", "Basics", "Posix", "Strategies", "Transport", "Wire"]),
        .target(
            name: "Terminal",
            dependencies: [
                "Auction", "Basics", "Bidder", "Posix", "Reactive", "Strategies", "Transport",
                "Wire",
            ]),
        .executableTarget(
            name: "auction-server",
            dependencies: [
                "Arguments", "Auction", "Basics", "Cluster", "House", "Journal", "Posix",
                "Server", "Transport", "Wire",
            ]),
        .executableTarget(
            name: "auction-client",
            dependencies: [
                "Arguments", "Auction", "Basics", "Bidder", "Posix", "Strategies", "Terminal",
                "Transport", "Wire",
            ]),

        .target(name: "TestSupport", dependencies: ["Posix"], path: "Tests/TestSupport"),
        .target(
            name: "DiskSupport", dependencies: ["Journal", "Posix", "TestSupport"],
            path: "Tests/DiskSupport"),
        .target(
            name: "Simulation",
            dependencies: [
                "Auction", "Basics", "Cluster", "ClusterSupport", "DiskSupport", "House",
                "Journal", "Posix", "Reactive", "Server", "TestSupport", "Transport", "Web", "Wire",
            ],
            path: "Tests/Simulation"),
        .executableTarget(
            name: "simulate", dependencies: ["Posix", "Simulation"], path: "Tests/Simulate"),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Auction", "House", "Simulation", "Wire"]),
        .target(
            name: "League", dependencies: ["Auction", "Strategies"], path: "Tests/League"),
        .executableTarget(
            name: "auction-league",
            dependencies: ["Arguments", "Auction", "League", "Posix", "Strategies", "Wire"],
            path: "Tests/AuctionLeague"),
        .testTarget(
            name: "StrategiesTests", dependencies: ["Auction", "League", "Strategies"]),
        .target(name: "Load", dependencies: ["Posix"], path: "Tests/Load"),
        .executableTarget(
            name: "auction-bench",
            dependencies: [
                "Arguments", "Auction", "Basics", "Load", "Posix", "Transport", "Wire",
            ],
            path: "Tests/AuctionBench"),
        .target(
            name: "MarbleSupport", dependencies: ["Reactive"], path: "Tests/MarbleSupport"),
        .testTarget(name: "BasicsTests", dependencies: ["Basics", "TestSupport"]),
        .testTarget(name: "AuctionTests", dependencies: ["Auction", "TestSupport", "Wire"]),
        .testTarget(
            name: "HouseTests",
            dependencies: [
                "Auction", "Basics", "House", "Strategies", "TestSupport", "Web", "Wire",
            ]),
        .testTarget(
            name: "JournalTests",
            dependencies: ["Basics", "DiskSupport", "Journal", "Posix", "TestSupport"]),
        .testTarget(
            name: "ReactiveTests", dependencies: ["MarbleSupport", "Reactive", "TestSupport"]),
        .target(
            name: "ClusterSupport", dependencies: ["Basics", "Cluster", "TestSupport", "Wire"],
            path: "Tests/ClusterSupport"),
        .testTarget(
            name: "ClusterTests",
            dependencies: [
                "Auction", "Basics", "Cluster", "ClusterSupport", "House", "TestSupport", "Wire",
            ]),
        .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"]),
        .testTarget(
            name: "WireTests",
            dependencies: ["Auction", "Basics", "Posix", "TestSupport", "Wire"]),
        .target(
            name: "BidderSupport", dependencies: ["Auction", "Basics", "Bidder", "Wire"],
            path: "Tests/BidderSupport"),
        .testTarget(
            name: "BidderTests",
            dependencies: [
                "Auction", "Basics", "Bidder", "BidderSupport", "Posix", "Strategies",
                "TestSupport", "Transport", "Wire",
            ]),
        .testTarget(
            name: "TerminalTests",
            dependencies: [
                "Auction", "Bidder", "BidderSupport", "MarbleSupport", "Posix", "Reactive",
                "Terminal", "TestSupport", "Wire",
            ],
            exclude: ["Golden"]),
        .testTarget(name: "PosixTests", dependencies: ["Posix", "TestSupport"]),
        .testTarget(
            name: "WebTests", dependencies: ["Basics", "Posix", "TestSupport", "Web"]),
        .testTarget(name: "LoadTests", dependencies: ["Load", "Posix", "TestSupport"]),
        .testTarget(
            name: "TransportTests",
            dependencies: ["Basics", "Posix", "TestSupport", "Transport"]),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Auction", "Basics", "DiskSupport", "House", "Journal", "Posix", "Server",
                "TestSupport", "Transport", "Web", "Wire",
            ]),
        .target(
            name: "Fuzzing",
            dependencies: [
                "Auction", "Basics", "DiskSupport", "House", "Journal", "Posix", "TestSupport",
                "Web", "Wire",
            ],
            path: "Tests/Fuzzing/Properties"),
        .testTarget(
            name: "FuzzingTests", dependencies: ["Fuzzing", "Posix"],
            path: "Tests/FuzzingTests"),
    ]
)

// The fuzzer brings a main function of its own, and is there only where `scripts/fuzz` asks for it.
if Context.environment["AUCTION_FUZZER"] != nil {
    package.targets.append(
        .executableTarget(
            name: "auction-fuzz", dependencies: ["Fuzzing"], path: "Tests/Fuzzing/Driver",
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]))
}
