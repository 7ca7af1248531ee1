// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "auction",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Reactive", targets: ["Reactive"]),
        .library(name: "AuctionRules", targets: ["AuctionRules"]),
        .library(name: "Wire", targets: ["Wire", "Sale"]),
    ],
    targets: [
        // The pure core: no sockets, no files, no clock.
        .target(name: "Addresses"),
        .target(name: "MonotonicTime"),
        .target(name: "Queues"),
        .target(name: "Reactive", dependencies: ["Queues"]),
        .target(name: "SafeText"),
        .target(name: "AuctionRules", dependencies: ["MonotonicTime", "SafeText"]),
        .target(name: "Arguments"),
        .target(name: "Sale", dependencies: ["AuctionRules"]),
        .target(name: "Web", resources: [.embedInCode("Page")]),
        .target(name: "Wire", dependencies: ["Addresses", "AuctionRules", "SafeText", "Sale"]),
        .target(
            name: "Lobby",
            dependencies: [
                "Addresses", "AuctionRules", "MonotonicTime", "Queues", "Sale", "Web", "Wire",
            ]),
        .target(name: "Drawing", dependencies: ["SafeText"]),
        .target(name: "EventLog"),
        .target(
            name: "ServerCore",
            dependencies: [
                "Addresses", "AuctionRules", "EventLog", "Lobby", "Queues", "Sale", "Wire",
            ]),
        .target(name: "Strategies", dependencies: ["AuctionRules"]),
        .target(name: "Typing", dependencies: ["SafeText"]),
        .target(
            name: "BidderView",
            dependencies: [
                "AuctionRules", "Drawing", "Reactive", "SafeText", "Sale", "Strategies", "Typing",
                "Wire",
            ]),

        // The mechanisms of I/O, without a rule of the game.
        .systemLibrary(name: "CLinux"),
        .target(name: "Posix", dependencies: ["CLinux", "MonotonicTime"]),
        .target(name: "Storage", dependencies: ["CLinux", "EventLog", "MonotonicTime", "Posix"]),
        .target(
            name: "Transport",
            dependencies: ["Addresses", "CLinux", "MonotonicTime", "Posix", "Queues"]),

        // The shells, and the programs.
        .target(
            name: "Server",
            dependencies: [
                "Addresses", "AuctionRules", "EventLog", "Lobby", "MonotonicTime", "Posix",
                "Reactive", "SafeText", "Sale", "ServerCore", "Storage", "Transport", "Web",
                "Wire",
            ]),
        .target(
            name: "Client",
            dependencies: [
                "AuctionRules", "BidderView", "Drawing", "Posix", "Sale", "Strategies", "Transport",
                "Typing", "Wire",
            ]),
        .executableTarget(
            name: "auction-server",
            dependencies: [
                "Addresses", "Arguments", "AuctionRules", "EventLog", "Lobby", "Posix", "SafeText",
                "Sale", "Server", "Storage", "Transport", "Wire",
            ]),
        .executableTarget(
            name: "auction-client",
            dependencies: [
                "Arguments", "AuctionRules", "BidderView", "Client", "Posix", "SafeText", "Sale",
                "Strategies", "Transport", "Wire",
            ]),

        .target(name: "TestSupport", dependencies: ["Posix"], path: "Tests/TestSupport"),
        .target(
            name: "DiskSupport", dependencies: ["Posix", "Storage", "TestSupport"],
            path: "Tests/DiskSupport"),
        .target(
            name: "Simulation",
            dependencies: [
                "Addresses", "AuctionRules", "DiskSupport", "Lobby", "Posix", "Reactive", "Sale",
                "Server", "ServerCore", "Storage", "TestSupport", "Transport", "Web",
                "Wire",
            ],
            path: "Tests/Simulation"),
        .executableTarget(
            name: "simulate", dependencies: ["Posix", "Simulation"], path: "Tests/Simulate"),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["AuctionRules", "Lobby", "Sale", "Simulation"]),
        .target(
            name: "League", dependencies: ["AuctionRules", "Strategies"], path: "Tests/League"),
        .executableTarget(
            name: "auction-league", dependencies: ["League", "Posix", "Strategies"],
            path: "Tests/AuctionLeague"),
        .testTarget(
            name: "StrategiesTests", dependencies: ["AuctionRules", "League", "Strategies"]),
        .target(name: "Load", dependencies: ["Posix"], path: "Tests/Load"),
        .executableTarget(
            name: "auction-bench",
            dependencies: [
                "Arguments", "Load", "MonotonicTime", "Posix", "Queues", "Transport", "Wire",
            ],
            path: "Tests/AuctionBench"),
        .target(
            name: "MarbleSupport", dependencies: ["Reactive"], path: "Tests/MarbleSupport"),
        .testTarget(name: "AddressesTests", dependencies: ["Addresses"]),
        .testTarget(name: "MonotonicTimeTests", dependencies: ["MonotonicTime"]),
        .testTarget(name: "QueuesTests", dependencies: ["Queues", "TestSupport"]),
        .testTarget(
            name: "ReactiveTests", dependencies: ["MarbleSupport", "Reactive", "TestSupport"]),
        .testTarget(name: "SafeTextTests", dependencies: ["SafeText", "TestSupport"]),
        .testTarget(name: "AuctionRulesTests", dependencies: ["AuctionRules", "TestSupport"]),
        .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"]),
        .testTarget(
            name: "SaleTests", dependencies: ["AuctionRules", "Sale", "TestSupport", "Wire"]),
        .testTarget(
            name: "WireTests",
            dependencies: [
                "Addresses", "AuctionRules", "Posix", "SafeText", "Sale", "TestSupport", "Wire",
            ]),
        .testTarget(
            name: "LobbyTests",
            dependencies: ["Addresses", "AuctionRules", "Lobby", "Sale", "TestSupport", "Wire"]),
        .testTarget(
            name: "BidderViewTests",
            dependencies: [
                "AuctionRules", "BidderView", "Drawing", "MarbleSupport", "Posix", "Reactive",
                "Sale", "Strategies", "TestSupport", "Typing", "Wire",
            ],
            exclude: ["Golden"]),
        .testTarget(name: "PosixTests", dependencies: ["Posix", "TestSupport"]),
        .testTarget(name: "EventLogTests", dependencies: ["EventLog"]),
        .testTarget(
            name: "StorageTests",
            dependencies: ["DiskSupport", "EventLog", "Posix", "Storage", "TestSupport"]),
        .testTarget(name: "WebTests", dependencies: ["Posix", "TestSupport", "Web"]),
        .testTarget(name: "DrawingTests", dependencies: ["Drawing", "TestSupport"]),
        .testTarget(name: "LoadTests", dependencies: ["Load", "Posix", "TestSupport"]),
        .testTarget(name: "TypingTests", dependencies: ["TestSupport", "Typing"]),
        .testTarget(
            name: "TransportTests",
            dependencies: ["Addresses", "MonotonicTime", "Posix", "TestSupport", "Transport"]),
        .testTarget(
            name: "ServerCoreTests",
            dependencies: [
                "Addresses", "AuctionRules", "EventLog", "Lobby", "Sale", "ServerCore",
                "TestSupport", "Wire",
            ]),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Addresses", "AuctionRules", "DiskSupport", "EventLog", "Lobby", "MonotonicTime",
                "Posix", "Sale", "Server", "ServerCore", "Storage", "TestSupport", "Transport",
                "Web", "Wire",
            ]),
        .target(
            name: "Fuzzing",
            dependencies: [
                "AuctionRules", "DiskSupport", "EventLog", "Lobby", "Posix", "SafeText", "Sale",
                "Storage", "TestSupport", "Web", "Wire",
            ],
            path: "Tests/Fuzzing/Properties"),
        .testTarget(
            name: "FuzzingTests", dependencies: ["Fuzzing", "Posix"],
            path: "Tests/FuzzingTests"),
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "AuctionRules", "BidderView", "Client", "Posix", "Sale", "Strategies",
                "TestSupport", "Transport", "Wire",
            ]),
    ]
)

// The fuzzer brings a main function of its own, and is there only where `scripts/fuzz` asks for it.
if Context.environment["AUCTION_FUZZER"] != nil {
    package.targets.append(
        .executableTarget(
            name: "auction-fuzz", dependencies: ["Fuzzing"], path: "Tests/Fuzzing/Driver",
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]))
}
