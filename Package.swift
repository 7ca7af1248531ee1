// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "auction",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Arguments"),
        .target(name: "AuctionRules"),
        .target(name: "Wire", dependencies: ["AuctionRules"]),
        .target(name: "Saleroom", dependencies: ["AuctionRules", "Wire"]),
        .testTarget(name: "ArgumentsTests", dependencies: ["Arguments"]),
        .testTarget(name: "AuctionRulesTests", dependencies: ["AuctionRules"]),
        .testTarget(name: "WireTests", dependencies: ["AuctionRules", "Wire"]),
        .testTarget(name: "SaleroomTests", dependencies: ["AuctionRules", "Saleroom", "Wire"]),
    ]
)
