// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "auction",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "AuctionRules"),
        .target(name: "Wire", dependencies: ["AuctionRules"]),
        .testTarget(name: "AuctionRulesTests", dependencies: ["AuctionRules"]),
        .testTarget(name: "WireTests", dependencies: ["AuctionRules", "Wire"]),
    ]
)
