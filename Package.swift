// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "auction",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Arguments"),
        .target(name: "Reactive"),
        .target(name: "AuctionRules"),
        .target(name: "Wire", dependencies: ["AuctionRules"]),
        .target(name: "Saleroom", dependencies: ["AuctionRules", "Wire"]),
        .systemLibrary(name: "CLinux"),
        .target(name: "Posix", dependencies: ["CLinux"]),
        .target(name: "Transport", dependencies: ["CLinux", "Posix"]),
        .target(
            name: "Server",
            dependencies: ["AuctionRules", "Posix", "Reactive", "Saleroom", "Transport", "Wire"]),
        .target(name: "BidderView", dependencies: ["AuctionRules", "Wire"]),
        .target(
            name: "Client",
            dependencies: ["AuctionRules", "BidderView", "Posix", "Transport", "Wire"]),
        .executableTarget(
            name: "auction-client",
            dependencies: ["Arguments", "AuctionRules", "BidderView", "Client", "Posix", "Wire"]),
        .executableTarget(
            name: "auction-server",
            dependencies: [
                "Arguments", "AuctionRules", "Posix", "Saleroom", "Server", "Transport", "Wire",
            ]),
        .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"]),
        .testTarget(name: "AuctionRulesTests", dependencies: ["AuctionRules"]),
        .testTarget(name: "WireTests", dependencies: ["AuctionRules", "Posix", "Wire"]),
        .testTarget(name: "SaleroomTests", dependencies: ["AuctionRules", "Saleroom", "Wire"]),
        .testTarget(name: "PosixTests", dependencies: ["Posix"]),
        .testTarget(name: "TransportTests", dependencies: ["Posix", "Transport"]),
        .testTarget(name: "ReactiveTests", dependencies: ["Reactive"]),
        .testTarget(
            name: "ServerTests",
            dependencies: ["AuctionRules", "Posix", "Saleroom", "Server", "Transport", "Wire"]),
        .testTarget(name: "BidderViewTests", dependencies: ["AuctionRules", "BidderView", "Wire"]),
        .testTarget(name: "ClientTests", dependencies: ["AuctionRules", "Client"]),
    ]
)
