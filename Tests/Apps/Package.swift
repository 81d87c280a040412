// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import PackageDescription

// Two apps with the same service and the same tests: one in Swift 5 mode, as apps have long been, one in Swift 6 with all of it on the main
// actor, as new projects of Xcode are. `run` tells it where this repository is.
let repository = Context.environment["MOCKAPI_REPOSITORY"] ?? Context.packageDirectory + "/../.."
let mockapi = Context.environment["MOCKAPI_PACKAGE"] ?? "mockapi"

let classic: [SwiftSetting] = [.swiftLanguageMode(.v5), .define("CLASSIC")]
let modern: [SwiftSetting] = [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]

func tests(_ name: String, of app: String, with library: String, _ settings: [SwiftSetting]) -> Target {
    .testTarget(
        name: name, dependencies: [.target(name: app), .product(name: library, package: mockapi)],
        swiftSettings: settings)
}

// On Linux no subclass of XCTestCase compiles where all belongs to the main actor: its initializer belongs to none.
let package = Package(
    name: "apps",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: repository)],
    targets: [
        .target(
            name: "ClassicApp", dependencies: [.product(name: "NetworkingKit", package: mockapi)],
            swiftSettings: classic),
        .target(
            name: "ModernApp", dependencies: [.product(name: "NetworkingKit", package: mockapi)],
            swiftSettings: modern),
        tests("ClassicAppTests", of: "ClassicApp", with: "MockServerTesting", classic),
        tests("ClassicAppXCTests", of: "ClassicApp", with: "MockServerXCTesting", classic),
        tests("ModernAppTests", of: "ModernApp", with: "MockServerTesting", modern),
        tests("ModernAppXCTests", of: "ModernApp", with: "MockServerXCTesting", [.swiftLanguageMode(.v6)]),
    ]
)
