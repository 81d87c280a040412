// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Settings of a target that is compiled otherwise with these traits.
func settings(by traits: String...) -> [SwiftSetting] {
    settings + traits.map { .define($0, .when(traits: ["Complete"])) }
}

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
    name: "mockapi",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "mockapi", targets: ["mockapi"]),
        .plugin(name: "MockapiCommand", targets: ["MockapiCommand"]),
        .library(name: "MockServer", targets: ["MockServer"]),
        .library(name: "MockServerTesting", targets: ["MockServerTesting"]),
        .library(name: "MockServerXCTesting", targets: ["MockServerXCTesting"]),
        .library(name: "NetworkingTesting", targets: ["NetworkingTesting"]),
        .library(name: "NetworkingKit", targets: ["NetworkingKit"]),
        .library(name: "NetworkingCore", targets: ["NetworkingCore"]),
        .library(name: "NetworkingTargets", targets: ["NetworkingTargets"]),
        .library(name: "NetworkingClient", targets: ["NetworkingClient"]),
        .library(name: "Presentables", targets: ["Presentables"]),
        .library(name: "FixtureNetworking", targets: ["FixtureNetworking"]),
        .library(name: "UpstreamNetworking", targets: ["UpstreamNetworking"]),
    ],
    // One is on by default, and no more: SwiftPM writes the flags of several in another order each time, and compiles all anew.
    traits: [
        .trait(name: "Complete", description: "All of the others: what is on where nothing is said."),
        .trait(name: "Brotli", description: "The content coding br, by libbrotli."),
        .trait(name: "Zstd", description: "The content coding zstd, by libzstd."),
        .trait(name: "TLS", description: "Servers that speak TLS, by OpenSSL."),
        .trait(name: "Recording", description: "Tests that ask a live service and record it, by libcurl."),
        .trait(name: "Publishers", description: "NetworkingKit where there is no Combine, by OpenCombine."),
        .default(enabledTraits: ["Complete"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // System libraries and what the C library's module does not export.
        .systemLibrary(
            name: "CMockapiPCRE2", path: "Sources/System/CPCRE2", pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        .systemLibrary(
            name: "CMockapiZlib", path: "Sources/System/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CMockapiBrotli", path: "Sources/System/CBrotli", pkgConfig: "libbrotlienc",
            providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
        .systemLibrary(
            name: "CMockapiZstd", path: "Sources/System/CZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(
            name: "CMockapiNghttp2", path: "Sources/System/CNghttp2", pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
        .systemLibrary(
            name: "CMockapiOpenSSL", path: "Sources/System/COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "CMockapiPlatform", path: "Sources/System/CPlatform"),
        // libcurl's headers only: the library is loaded on first use.
        .target(
            name: "CMockapiCurl", path: "Sources/System/CCurl",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // The functions of libxml2 that are called: the library is loaded on first use.
        .target(
            name: "CMockapiLibXML2", path: "Sources/System/CLibXML2",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

        // The engine, from the bytes up.
        .target(
            name: "MockapiSystemIO", dependencies: ["CMockapiPlatform"], path: "Sources/System/SystemIO",
            swiftSettings: settings),
        .target(name: "MockapiMetering", path: "Sources/System/Metering", swiftSettings: settings),
        .target(name: "MockapiHTTPSyntax", path: "Sources/Server/HTTPSyntax", swiftSettings: settings),
        .target(
            name: "MockapiEventLoops", dependencies: ["MockapiSystemIO", "CMockapiPlatform"],
            path: "Sources/System/EventLoops", swiftSettings: settings),
        .target(
            name: "MockapiHTTPWire", dependencies: ["MockapiHTTPSyntax", "MockapiSystemIO", "CMockapiNghttp2"],
            path: "Sources/Server/HTTPWire", swiftSettings: settings),
        .target(
            name: "MockapiHTTPServer",
            dependencies: [
                "MockapiHTTPWire", "MockapiHTTPSyntax", "MockapiEventLoops", "MockapiSystemIO", "CMockapiPlatform",
                .target(name: "CMockapiOpenSSL", condition: .when(traits: ["Complete", "TLS"])),
            ],
            path: "Sources/Server/HTTPServer", swiftSettings: settings(by: "TLS")),
        .target(name: "MockapiJSONText", path: "Sources/Languages/JSONText", swiftSettings: settings),
        .target(
            name: "MockapiRegularExpressions", dependencies: ["MockapiMetering", "CMockapiPCRE2"],
            path: "Sources/Languages/RegularExpressions", swiftSettings: settings),
        // gzip, deflate, br and zstd, both ways.
        .target(
            name: "MockapiContentCodings",
            dependencies: [
                "CMockapiZlib", .target(name: "CMockapiBrotli", condition: .when(traits: ["Complete", "Brotli"])),
                .target(name: "CMockapiZstd", condition: .when(traits: ["Complete", "Zstd"])),
            ],
            path: "Sources/Server/ContentCodings", swiftSettings: settings(by: "Brotli", "Zstd")),
        .target(
            name: "MockapiFixtures",
            dependencies: [
                "MockapiJSONText", "MockapiContentCodings", "MockapiHTTPSyntax", "MockapiSystemIO", "MockapiTemplating",
            ],
            path: "Sources/Server/Fixtures", swiftSettings: settings),
        // The languages that matchers and templates are written in.
        .target(
            name: "MockapiDateTimes", dependencies: ["MockapiHTTPSyntax", "MockapiSystemIO"],
            path: "Sources/Languages/DateTimes", swiftSettings: settings),
        .target(name: "MockapiGraphQLText", path: "Sources/Languages/GraphQLText", swiftSettings: settings),
        .target(
            name: "MockapiJSONPath",
            dependencies: ["MockapiJSONText", "MockapiMetering", "MockapiRegularExpressions"],
            path: "Sources/Languages/JSONPath", swiftSettings: settings),
        .target(
            name: "MockapiJSONSchema",
            dependencies: [
                "MockapiHTTPSyntax", "MockapiJSONText", "MockapiMetering", "MockapiRegularExpressions",
            ],
            path: "Sources/Languages/JSONSchema", swiftSettings: settings),
        .target(
            name: "MockapiXMLText",
            dependencies: ["CMockapiLibXML2", "MockapiMetering", "MockapiRegularExpressions"],
            path: "Sources/Languages/XMLText", swiftSettings: settings),
        .target(
            name: "MockapiTemplating",
            dependencies: [
                "MockapiJSONText", "MockapiJSONPath", "MockapiXMLText", "MockapiDateTimes", "MockapiHTTPSyntax",
                "MockapiMetering", "MockapiRegularExpressions",
            ],
            path: "Sources/Languages/Templating", swiftSettings: settings),
        .target(
            name: "MockapiYAMLText", dependencies: ["MockapiJSONText"], path: "Sources/Languages/YAMLText",
            swiftSettings: settings),
        // What a document of OpenAPI says is answered.
        .target(
            name: "MockapiOpenAPI",
            dependencies: ["MockapiJSONText", "MockapiJSONSchema", "MockapiYAMLText", "MockapiHTTPSyntax"],
            path: "Sources/Contracts/OpenAPI", swiftSettings: settings
        ),
        .target(
            name: "MockapiStubMatching",
            dependencies: [
                "MockapiFixtures", "MockapiJSONText", "MockapiJSONPath", "MockapiJSONSchema", "MockapiXMLText",
                "MockapiDateTimes", "MockapiGraphQLText", "MockapiHTTPSyntax",
                "MockapiMetering", "MockapiSecrets", "MockapiRegularExpressions", "CMockapiPlatform",
            ],
            path: "Sources/Server/StubMatching", swiftSettings: settings),
        .target(
            name: "MockapiUpstream", dependencies: ["CMockapiCurl", "MockapiHTTPSyntax"],
            path: "Sources/Recording/Upstream", swiftSettings: settings),
        // Requests that go on to other servers, on behalf of stubs and of clients, and their answers on the way back.
        .target(
            name: "MockapiProxy",
            dependencies: [
                "MockapiUpstream", "MockapiHTTPServer", "MockapiHTTPWire", "MockapiHTTPSyntax", "MockapiContentCodings",
                "MockapiSecrets",
            ],
            path: "Sources/Recording/Proxy", swiftSettings: settings),
        // What must not stand in a recording: how it is found, and what takes its place.
        .target(
            name: "MockapiSecrets", dependencies: ["MockapiJSONText", "MockapiHTTPSyntax"],
            path: "Sources/Recording/Secrets", swiftSettings: settings),
        // Live answers to fixtures.
        .target(
            name: "MockapiRecording",
            dependencies: [
                "MockapiProxy", "MockapiUpstream", "MockapiSecrets", "MockapiFixtures", "MockapiContentCodings",
                "MockapiStubMatching", "MockapiJSONText", "MockapiXMLText", "MockapiHTTPServer",
                "MockapiHTTPWire", "MockapiHTTPSyntax", "MockapiEventLoops", "MockapiSystemIO", "CMockapiPlatform",
            ],
            path: "Sources/Recording/Recording", swiftSettings: settings),

        // Whether live answers still are what was recorded, apart from how they are asked for.
        .target(
            name: "MockapiDrift",
            dependencies: [
                "MockapiFixtures", "MockapiSecrets", "MockapiContentCodings", "MockapiJSONSchema", "MockapiYAMLText",
                "MockapiJSONText", "MockapiHTTPSyntax",
            ],
            path: "Sources/Contracts/Drift", swiftSettings: settings),
        // A live service asked for what fixtures say it answers, and the report.
        .target(
            name: "MockapiVerification",
            dependencies: [
                "MockapiDrift", "MockapiOpenAPI", "MockapiReports", "MockapiRecording", "MockapiProxy",
                "MockapiUpstream", "MockapiFixtures", "MockapiStubMatching", "MockapiSecrets",
                "MockapiContentCodings", "MockapiJSONSchema", "MockapiJSONText", "MockapiHTTPSyntax", "MockapiSystemIO",
            ],
            path: "Sources/Contracts/Verification", swiftSettings: settings),

        // The faces.
        .target(
            name: "MockServer",
            dependencies: [
                "MockapiHTTPServer", "MockapiHTTPWire", "MockapiHTTPSyntax", "MockapiEventLoops", "MockapiSystemIO",
                "MockapiFixtures", "MockapiContentCodings",
                "MockapiJSONText", "MockapiStubMatching", "MockapiTemplating", "MockapiJSONPath", "MockapiMetering",
                "MockapiSecrets", "MockapiXMLText",
                "CMockapiPlatform", httpTypes,
            ],
            path: "Sources/Server/MockServer", swiftSettings: settings),
        // What a command or a test found out, in every form it is written in.
        .target(
            name: "MockapiReports", dependencies: ["MockapiFixtures", "MockapiHTTPSyntax", "MockapiJSONText"],
            path: "Sources/Contracts/Reports", swiftSettings: settings),
        // Commands under test: what they ask for, what they survive, and what they need.
        .target(
            name: "MockapiRunning",
            dependencies: [
                "MockServer", "MockapiReports", "MockapiFixtures", "MockapiJSONText", "MockapiHTTPSyntax",
                "MockapiSystemIO", httpTypes,
            ],
            path: "Sources/Contracts/Running", swiftSettings: settings),
        // What is asked of a client, and the verdict on it.
        .target(
            name: "MockapiContract",
            dependencies: ["MockServer", "MockapiReports", "MockapiHTTPSyntax", "MockapiJSONText", httpTypes],
            path: "Sources/Contracts/Contract", swiftSettings: settings),
        .executableTarget(
            name: "mockapi",
            dependencies: [
                "MockServer", "MockapiContract", "MockapiReports", "MockapiRunning", "MockapiRecording", "MockapiProxy",
                "MockapiSecrets", "MockapiUpstream",
                "MockapiHTTPServer", "MockapiHTTPSyntax", "MockapiSystemIO", "MockapiFixtures", "MockapiJSONText",
                "MockapiVerification", "MockapiDrift", "MockapiOpenAPI",
                "MockapiDateTimes",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Command/mockapi", swiftSettings: settings),

        // `swift package mockapi …`
        .plugin(
            name: "MockapiCommand",
            capability: .command(
                intent: .custom(verb: "mockapi", description: "Serve fixtures, and run commands against them."))),

        // The client library: what asks and sends, the two families of requests on it, and all of it.
        .target(
            name: "NetworkingCore",
            dependencies: [
                .product(
                    name: "OpenCombineShim", package: "OpenCombine",
                    condition: .when(traits: ["Complete", "Publishers"]))
            ],
            path: "Sources/Networking/NetworkingCore", swiftSettings: settings),
        .target(
            name: "NetworkingTargets", dependencies: ["NetworkingCore"], path: "Sources/Networking/NetworkingTargets",
            swiftSettings: settings),
        .target(
            name: "NetworkingClient", dependencies: ["NetworkingCore"], path: "Sources/Networking/NetworkingClient",
            swiftSettings: settings),
        .target(
            name: "NetworkingKit", dependencies: ["NetworkingCore", "NetworkingTargets", "NetworkingClient"],
            path: "Sources/Networking/NetworkingKit", swiftSettings: settings),
        // What else can take the place of its networker.
        .target(
            name: "MockapiContentDecoding", dependencies: ["NetworkingCore", "MockapiContentCodings"],
            path: "Sources/Networking/ContentDecoding", swiftSettings: settings),
        .target(
            name: "FixtureNetworking", dependencies: ["NetworkingKit", "MockapiContentDecoding", "MockServer"],
            path: "Sources/Networking/FixtureNetworking", swiftSettings: settings),
        .target(
            name: "UpstreamNetworking", dependencies: ["NetworkingKit", "MockapiContentDecoding", "MockapiUpstream"],
            path: "Sources/Networking/UpstreamNetworking", swiftSettings: settings),
        // View models by what they show: text, switches, images, text fields.
        .target(name: "Presentables", path: "Sources/Networking/Presentables", swiftSettings: settings),
        // The heads of image files.
        .target(name: "MockapiImageFormats", path: "Sources/Networking/ImageFormats", swiftSettings: settings),
        .executableTarget(
            name: "mockapi-articles",
            dependencies: [
                "NetworkingKit", "Presentables", "MockapiImageFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Networking/articles", swiftSettings: settings),

        // A server for each test.
        .target(
            name: "MockapiTestScope",
            dependencies: [
                "MockServer", "MockapiHTTPServer", "MockapiSystemIO",
                .target(name: "MockapiRecording", condition: .when(traits: ["Complete", "Recording"])),
                .target(name: "MockapiProxy", condition: .when(traits: ["Complete", "Recording"])),
                .target(name: "MockapiUpstream", condition: .when(traits: ["Complete", "Recording"])),
            ],
            path: "Sources/Contracts/TestScope", swiftSettings: settings(by: "Recording")),
        .target(
            name: "MockServerTesting", dependencies: ["MockServer", "MockapiTestScope", "MockapiContract"],
            path: "Sources/Contracts/MockServerTesting", swiftSettings: settings),
        .target(
            name: "MockServerXCTesting", dependencies: ["MockServer", "MockapiTestScope", "MockapiContract"],
            path: "Sources/Contracts/MockServerXCTesting", swiftSettings: settings),
        // The contract put to a `Networking`: apart, so that the others' users do not build `NetworkingKit`.
        .target(
            name: "NetworkingTesting",
            dependencies: ["MockServer", "MockapiContract", "NetworkingCore", "MockapiImageFormats", httpTypes],
            path: "Sources/Networking/NetworkingTesting", swiftSettings: settings),

        .testTarget(
            name: "HTTPSyntaxTests", dependencies: ["MockapiTestSupport", "MockapiHTTPSyntax", "MockapiSystemIO"],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPWireTests",
            dependencies: [
                "MockapiTestSupport", "MockapiHTTPWire", "MockapiHTTPSyntax", "MockapiSystemIO", "MockapiWireSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "MockapiTestSupport", "MockapiHTTPServer", "MockapiHTTPWire", "MockapiHTTPSyntax", "MockapiEventLoops",
                "MockapiSystemIO", "MockapiTLSSupport",
                "MockapiWireSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "JSONTextTests", dependencies: ["MockapiTestSupport", "MockapiJSONText", "MockapiWireSupport"],
            exclude: ["texts.py"], swiftSettings: settings),
        .testTarget(
            name: "DateTimesTests",
            dependencies: ["MockapiTestSupport", "MockapiDateTimes", "MockapiWireSupport"],
            exclude: ["clocks.py", "zone_files.py"], swiftSettings: settings),
        .testTarget(
            name: "GraphQLTextTests", dependencies: ["MockapiTestSupport", "MockapiGraphQLText"],
            swiftSettings: settings),
        .testTarget(
            name: "MeteringTests", dependencies: ["MockapiTestSupport", "MockapiMetering"], swiftSettings: settings),
        .testTarget(
            name: "JSONPathTests",
            dependencies: [
                "MockapiTestSupport", "MockapiJSONPath", "MockapiJSONText", "MockapiMetering", "MockapiWireSupport",
            ],
            exclude: ["paths.py"], swiftSettings: settings),
        .testTarget(
            name: "JSONSchemaTests",
            dependencies: ["MockapiTestSupport", "MockapiJSONSchema", "MockapiJSONText", "MockapiWireSupport"],
            exclude: ["formats.py", "schemas.py"], swiftSettings: settings),
        .testTarget(
            name: "XMLTextTests",
            dependencies: [
                "MockapiTestSupport", "MockapiXMLText", "MockapiMetering", "MockapiWireSupport", "CMockapiLibXML2",
            ],
            exclude: ["documents.py", "xpaths.py"], swiftSettings: settings),
        .testTarget(
            name: "TemplatingTests",
            dependencies: [
                "MockapiTestSupport", "MockapiTemplating", "MockapiJSONText", "MockapiMetering", "MockapiWireSupport",
            ],
            exclude: ["documents.py", "helpers.py"], swiftSettings: settings),
        .testTarget(
            name: "ContentCodingsTests",
            dependencies: [
                "MockapiTestSupport", "MockapiContentCodings", "CMockapiZlib", "CMockapiBrotli", "CMockapiZstd",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FixturesTests",
            dependencies: [
                "MockapiTestSupport", "MockapiFixtures", "MockapiHTTPSyntax", "MockapiSystemIO", "MockapiJSONText",
            ],
            exclude: ["Stubs.txt"], swiftSettings: settings),
        .testTarget(
            name: "StubMatchingTests",
            dependencies: [
                "MockapiTestSupport", "MockapiStubMatching", "MockapiRegularExpressions", "MockapiFixtures",
                "MockapiMetering", "MockapiJSONText", "MockapiHTTPSyntax", "MockapiMatchingSupport",
            ],
            exclude: ["NearMisses.txt"], swiftSettings: settings),
        // Heads and stubs from a line each, and slow ways to what matching finds.
        .target(
            name: "MockapiMatchingSupport", dependencies: ["MockapiFixtures", "MockapiHTTPSyntax", "MockapiJSONText"],
            path: "Tests/MatchingSupport", swiftSettings: settings),
        // The fuzz targets with their seeds; `Tests/Fuzz/run` runs them under libFuzzer.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "MockapiTestSupport", "MockapiMatchingSupport", "MockapiStubMatching", "MockapiFixtures",
                "MockapiHTTPServer", "MockapiHTTPWire", "MockapiHTTPSyntax", "MockapiJSONPath", "MockapiJSONText",
                "MockapiMetering",
                "MockapiProxy", "MockapiRecording", "MockapiRegularExpressions", "MockapiSecrets", "MockapiTemplating",
                "MockapiUpstream",
            ],
            path: "Tests/Fuzz",
            exclude: ["run", "Corpora"], swiftSettings: settings(by: "TLS")),

        // A client of raw sockets, for the tests that meet a running server.
        .target(
            name: "MockapiWireSupport", dependencies: ["CMockapiNghttp2"], path: "Tests/WireSupport",
            swiftSettings: settings),
        // The same for TLS.
        .target(
            name: "MockapiTLSSupport", dependencies: ["CMockapiOpenSSL", "MockapiWireSupport"],
            path: "Tests/TLSSupport",
            swiftSettings: settings),
        // How the suites are run: on threads that may block, a few tests at a time.
        .target(
            name: "MockapiTestSupport", dependencies: ["MockapiWireSupport", "CMockapiPlatform"],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "TestSupportTests", dependencies: ["MockapiTestSupport", "MockapiWireSupport"],
            swiftSettings: settings),
        .executableTarget(
            name: "mockapi-server-per-test", dependencies: ["MockServer", "MockapiWireSupport"],
            path: "Benchmarks/ServerPerTest",
            swiftSettings: settings),
        // Clients that abuse a server, and others that measure meanwhile.
        .executableTarget(
            name: "mockapi-abuse", dependencies: ["MockapiWireSupport", "MockapiTLSSupport"], path: "Benchmarks/Abuse",
            swiftSettings: settings),
        .testTarget(
            name: "MockServerTests",
            dependencies: [
                "MockapiTestSupport",
                "MockServer", "MockapiProxy", "MockapiUpstream", "MockapiFixtures", "MockapiContentCodings",
                "MockapiJSONText", "MockapiYAMLText", "MockapiMetering",
                "MockapiHTTPServer", "MockapiHTTPWire", "MockapiHTTPSyntax",
                "MockapiEventLoops", "MockapiSystemIO", "CMockapiZlib",
                "MockapiWireSupport", httpTypes,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["MockapiTestSupport", "MockapiReports", "MockapiJSONText", "MockapiWireSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "MockapiTestSupport", "MockapiContract", "MockapiReports", "mockapi", "MockServer", "MockapiJSONText",
                "MockapiWireSupport", httpTypes,
            ],
            exclude: ["Judgements"], swiftSettings: settings),
        .testTarget(
            name: "RunningTests",
            dependencies: [
                "MockapiTestSupport", "MockapiRunning", "MockapiReports", "mockapi", "MockServer", "MockapiFixtures",
                "MockapiJSONText", "MockapiWireSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MockServerTestingTests",
            dependencies: [
                "MockapiTestSupport",
                "MockServerTesting", "MockServerXCTesting", "MockapiTestScope", "NetworkingTesting", "NetworkingKit",
                "FixtureNetworking",
                "UpstreamNetworking", "MockapiContract", "MockapiWireSupport",
            ],
            swiftSettings: settings),
        // An app as new projects of Xcode are: all of it belongs to the main actor where nothing else is said.
        .testTarget(
            name: "MainActorTests",
            dependencies: ["MockapiTestSupport", "MockServerTesting", "NetworkingKit"],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
        // Secrets of our own making, for the tests that look for them.
        .target(name: "MockapiSecretsSupport", path: "Tests/SecretsSupport", swiftSettings: settings),
        .testTarget(
            name: "SecretsTests",
            dependencies: [
                "MockapiTestSupport", "MockapiSecrets", "MockapiHTTPSyntax", "MockapiJSONText", "MockapiSecretsSupport",
                "MockapiWireSupport",
            ],
            exclude: ["Redactions.txt"], swiftSettings: settings),
        .testTarget(
            name: "RecordingTests",
            dependencies: [
                "MockapiTestSupport",
                "MockapiRecording", "MockapiProxy", "MockapiSecrets", "MockapiContentCodings", "MockapiUpstream",
                "MockServer", "MockapiFixtures", "MockapiJSONText",
                "MockapiHTTPServer", "MockapiHTTPWire", "MockapiHTTPSyntax", "MockapiWireSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ProxyTests",
            dependencies: [
                "MockapiTestSupport", "MockapiProxy", "MockapiUpstream", "MockapiHTTPServer", "MockapiHTTPWire",
                "MockapiHTTPSyntax", "MockapiMatchingSupport", "MockapiContentCodings", "MockapiEventLoops",
                "MockapiWireSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DriftTests",
            dependencies: [
                "MockapiTestSupport", "MockapiDrift", "MockapiFixtures", "MockapiContentCodings", "MockapiJSONText",
                "MockapiXMLText",
            ],
            exclude: ["Findings.txt"], swiftSettings: settings),
        .testTarget(
            name: "YAMLTextTests", dependencies: ["MockapiTestSupport", "MockapiYAMLText", "MockapiJSONText"],
            swiftSettings: settings),
        .testTarget(
            name: "UpstreamTests",
            dependencies: [
                "MockapiTestSupport",
                "MockapiUpstream", "CMockapiCurl", "MockServer", "MockapiHTTPServer", "MockapiEventLoops",
                "MockapiHTTPWire", "MockapiHTTPSyntax", "MockapiWireSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "MockapiTestSupport", "mockapi", "mockapi-abuse", "MockapiFixtures", "MockapiJSONText",
                "MockapiSecretsSupport", "MockapiWireSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "NetworkingKitTests",
            dependencies: [
                "MockapiTestSupport", "mockapi-readme-snippet",
                "NetworkingKit", "Presentables", "MockapiImageFormats", "FixtureNetworking", "UpstreamNetworking",
                "NetworkingTesting", "MockServer", "MockapiWireSupport", httpTypes,
            ],
            swiftSettings: settings),
        // README's program of the client library, as it stands there.
        .executableTarget(
            name: "mockapi-readme-snippet", dependencies: ["NetworkingKit"], path: "Tests/ReadmeSnippet",
            swiftSettings: settings),
        .testTarget(
            name: "ArticlesTests",
            dependencies: [
                "MockapiTestSupport", "mockapi-articles", "NetworkingKit", "Presentables", "MockapiImageFormats",
                "MockServer",
                "MockapiWireSupport",
                httpTypes,
            ],
            swiftSettings: settings),
    ]
)

// MOCKAPI_TESTS=DriftTests leaves out all other tests: `swift build --product mockapiPackageTests` then compiles what that room needs.
if let tests = Context.environment["MOCKAPI_TESTS"], !tests.isEmpty {
    guard package.targets.contains(where: { $0.type == .test && $0.name == tests }) else {
        fatalError("MOCKAPI_TESTS=\(tests): no target of tests has this name")
    }
    package.targets.removeAll { $0.type == .test && $0.name != tests }
}
