// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "auction",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "AuctionRules"),
        .testTarget(name: "AuctionRulesTests", dependencies: ["AuctionRules"]),
    ]
)
