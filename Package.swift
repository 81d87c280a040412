// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

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
        .executable(name: "articles", targets: ["articles"]),
    ],
    traits: [
        .trait(name: "Brotli", description: "The content coding br, by libbrotli."),
        .trait(name: "Zstd", description: "The content coding zstd, by libzstd."),
        .trait(name: "TLS", description: "Servers that speak TLS, by OpenSSL."),
        .trait(name: "Recording", description: "Tests that ask a live service and record it, by libcurl."),
        .default(enabledTraits: ["Brotli", "Zstd", "TLS", "Recording"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // System libraries and what the C library's module does not export.
        .systemLibrary(
            name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(
            name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "CPlatform"),
        // libcurl's headers only: the library is loaded on first use.
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // The functions of libxml2 that are called: the library is loaded on first use.
        .target(name: "CLibXML2", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

        // The engine, from the bytes up.
        .target(name: "SystemIO", dependencies: ["CPlatform"], swiftSettings: settings),
        .target(name: "HTTPSyntax", swiftSettings: settings),
        .target(name: "EventLoops", dependencies: ["SystemIO", "CPlatform"], swiftSettings: settings),
        .target(name: "HTTPWire", dependencies: ["HTTPSyntax", "SystemIO", "CNghttp2"], swiftSettings: settings),
        .target(
            name: "HTTPServer",
            dependencies: [
                "HTTPWire", "HTTPSyntax", "EventLoops", "SystemIO", "CPlatform",
                .target(name: "COpenSSL", condition: .when(traits: ["TLS"])),
            ],
            swiftSettings: settings),
        .target(name: "JSONText", swiftSettings: settings),
        .target(name: "RegularExpressions", dependencies: ["CPCRE2"], swiftSettings: settings),
        // gzip, deflate, br and zstd, both ways.
        .target(
            name: "ContentCodings",
            dependencies: [
                "CZlib", .target(name: "CBrotli", condition: .when(traits: ["Brotli"])),
                .target(name: "CZstd", condition: .when(traits: ["Zstd"])),
            ],
            swiftSettings: settings),
        .target(
            name: "Fixtures", dependencies: ["JSONText", "ContentCodings", "HTTPSyntax", "SystemIO", "Templating"],
            swiftSettings: settings),
        // The languages that matchers and templates are written in.
        .target(name: "DateTimes", dependencies: ["HTTPSyntax", "SystemIO"], swiftSettings: settings),
        .target(name: "GraphQLText", swiftSettings: settings),
        .target(name: "JSONPath", dependencies: ["JSONText", "RegularExpressions"], swiftSettings: settings),
        .target(name: "JSONSchema", dependencies: ["JSONText", "RegularExpressions"], swiftSettings: settings),
        .target(name: "XMLText", dependencies: ["CLibXML2", "RegularExpressions"], swiftSettings: settings),
        .target(
            name: "Templating",
            dependencies: ["JSONText", "JSONPath", "XMLText", "DateTimes", "HTTPSyntax", "RegularExpressions"],
            swiftSettings: settings),
        .target(name: "YAMLText", dependencies: ["JSONText"], swiftSettings: settings),
        // What a document of OpenAPI says is answered.
        .target(
            name: "OpenAPI", dependencies: ["JSONText", "JSONSchema", "YAMLText", "HTTPSyntax"], swiftSettings: settings
        ),
        .target(
            name: "StubMatching",
            dependencies: [
                "Fixtures", "JSONText", "JSONPath", "JSONSchema", "XMLText", "DateTimes", "GraphQLText", "HTTPSyntax",
                "Secrets", "RegularExpressions", "CPlatform",
            ],
            swiftSettings: settings),
        .target(name: "Upstream", dependencies: ["CCurl", "HTTPSyntax"], swiftSettings: settings),
        // Requests that go on to other servers, on behalf of stubs and of clients, and their answers on the way back.
        .target(
            name: "Proxy",
            dependencies: ["Upstream", "HTTPServer", "HTTPWire", "HTTPSyntax", "ContentCodings", "Secrets"],
            swiftSettings: settings),
        // What must not stand in a recording: how it is found, and what takes its place.
        .target(name: "Secrets", dependencies: ["JSONText", "HTTPSyntax"], swiftSettings: settings),
        // Live answers to fixtures.
        .target(
            name: "Recording",
            dependencies: [
                "Proxy", "Upstream", "Secrets", "Fixtures", "ContentCodings", "StubMatching", "JSONText", "HTTPServer",
                "HTTPWire", "HTTPSyntax", "EventLoops", "SystemIO", "CPlatform",
            ],
            swiftSettings: settings),

        // Whether live answers still are what was recorded, apart from how they are asked for.
        .target(
            name: "Drift", dependencies: ["Fixtures", "Secrets", "JSONSchema", "JSONText", "HTTPSyntax"],
            swiftSettings: settings),
        // A live service asked for what fixtures say it answers, and the report.
        .target(
            name: "Verification",
            dependencies: [
                "Drift", "OpenAPI", "Reports", "Recording", "Proxy", "Upstream", "Fixtures", "StubMatching", "Secrets",
                "ContentCodings", "JSONSchema", "JSONText", "HTTPSyntax", "SystemIO",
            ],
            swiftSettings: settings),

        // The faces.
        .target(
            name: "MockServer",
            dependencies: [
                "HTTPServer", "HTTPWire", "HTTPSyntax", "EventLoops", "SystemIO", "Fixtures", "ContentCodings",
                "JSONText", "StubMatching", "Templating", "JSONPath", "CPlatform", httpTypes,
            ],
            swiftSettings: settings),
        // What a command or a test found out, in every form it is written in.
        .target(name: "Reports", dependencies: ["Fixtures", "JSONText"], swiftSettings: settings),
        // Commands under test: what they ask for, what they survive, and what they need.
        .target(
            name: "Running",
            dependencies: ["MockServer", "Reports", "Fixtures", "JSONText", "HTTPSyntax", "SystemIO", httpTypes],
            swiftSettings: settings),
        // What is asked of a client, and the verdict on it.
        .target(
            name: "Contract",
            dependencies: ["MockServer", "Reports", "HTTPSyntax", "JSONText", httpTypes],
            swiftSettings: settings),
        .executableTarget(
            name: "mockapi",
            dependencies: [
                "MockServer", "Contract", "Reports", "Running", "Recording", "Proxy", "Secrets", "Upstream",
                "HTTPServer", "HTTPSyntax", "SystemIO", "Fixtures", "JSONText", "Verification", "Drift", "OpenAPI",
                "DateTimes",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // `swift package mockapi …`
        .plugin(
            name: "MockapiCommand",
            capability: .command(
                intent: .custom(verb: "mockapi", description: "Serve fixtures, and run commands against them."))),

        // The client library: what asks and sends, the two families of requests on it, and all of it.
        .target(
            name: "NetworkingCore",
            dependencies: [.product(name: "OpenCombineShim", package: "OpenCombine")],
            swiftSettings: settings),
        .target(name: "NetworkingTargets", dependencies: ["NetworkingCore"], swiftSettings: settings),
        .target(name: "NetworkingClient", dependencies: ["NetworkingCore"], swiftSettings: settings),
        .target(
            name: "NetworkingKit", dependencies: ["NetworkingCore", "NetworkingTargets", "NetworkingClient"],
            swiftSettings: settings),
        // What else can take the place of its networker.
        .target(
            name: "ContentDecoding", dependencies: ["NetworkingCore", "ContentCodings"], swiftSettings: settings),
        .target(
            name: "FixtureNetworking", dependencies: ["NetworkingKit", "ContentDecoding", "MockServer"],
            swiftSettings: settings),
        .target(
            name: "UpstreamNetworking", dependencies: ["NetworkingKit", "ContentDecoding", "Upstream"],
            swiftSettings: settings),
        // View models by what they show: text, switches, images, text fields.
        .target(name: "Presentables", swiftSettings: settings),
        // The heads of image files.
        .target(name: "ImageFormats", swiftSettings: settings),
        .executableTarget(
            name: "articles",
            dependencies: [
                "NetworkingKit", "Presentables", "ImageFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // A server for each test.
        .target(
            name: "TestScope",
            dependencies: [
                "MockServer", "HTTPServer", .target(name: "Recording", condition: .when(traits: ["Recording"])),
                .target(name: "Proxy", condition: .when(traits: ["Recording"])),
                .target(name: "Upstream", condition: .when(traits: ["Recording"])),
            ],
            swiftSettings: settings),
        .target(
            name: "MockServerTesting", dependencies: ["MockServer", "TestScope", "Contract"], swiftSettings: settings),
        .target(
            name: "MockServerXCTesting", dependencies: ["MockServer", "TestScope", "Contract"], swiftSettings: settings),
        // The contract put to a `Networking`: apart, so that the others' users do not build `NetworkingKit`.
        .target(
            name: "NetworkingTesting",
            dependencies: ["MockServer", "Contract", "NetworkingCore", "ImageFormats", httpTypes],
            swiftSettings: settings),

        .testTarget(name: "HTTPSyntaxTests", dependencies: ["TestSupport", "HTTPSyntax"], swiftSettings: settings),
        .testTarget(
            name: "HTTPWireTests", dependencies: ["TestSupport", "HTTPWire", "HTTPSyntax", "SystemIO", "WireSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "TestSupport", "HTTPServer", "HTTPWire", "HTTPSyntax", "EventLoops", "SystemIO", "TLSSupport",
                "WireSupport",
            ],
            swiftSettings: settings),
        .testTarget(name: "JSONTextTests", dependencies: ["TestSupport", "JSONText"], swiftSettings: settings),
        .testTarget(name: "DateTimesTests", dependencies: ["TestSupport", "DateTimes"], swiftSettings: settings),
        .testTarget(name: "GraphQLTextTests", dependencies: ["TestSupport", "GraphQLText"], swiftSettings: settings),
        .testTarget(
            name: "JSONPathTests", dependencies: ["TestSupport", "JSONPath", "JSONText"], swiftSettings: settings),
        .testTarget(
            name: "JSONSchemaTests", dependencies: ["TestSupport", "JSONSchema", "JSONText"], swiftSettings: settings),
        .testTarget(
            name: "XMLTextTests", dependencies: ["TestSupport", "XMLText", "CLibXML2"], swiftSettings: settings),
        .testTarget(
            name: "TemplatingTests", dependencies: ["TestSupport", "Templating", "JSONText"], swiftSettings: settings),
        .testTarget(
            name: "ContentCodingsTests", dependencies: ["TestSupport", "ContentCodings", "CZlib", "CBrotli", "CZstd"],
            swiftSettings: settings),
        .testTarget(
            name: "FixturesTests", dependencies: ["TestSupport", "Fixtures", "HTTPSyntax", "SystemIO", "JSONText"],
            swiftSettings: settings),
        .testTarget(
            name: "StubMatchingTests",
            dependencies: ["TestSupport", "StubMatching", "Fixtures", "JSONText", "HTTPSyntax"],
            swiftSettings: settings),

        // A client of raw sockets, for the tests that meet a running server.
        .target(
            name: "WireSupport", dependencies: ["CNghttp2"], path: "Tests/WireSupport", swiftSettings: settings),
        // The same for TLS.
        .target(
            name: "TLSSupport", dependencies: ["COpenSSL", "WireSupport"], path: "Tests/TLSSupport",
            swiftSettings: settings),
        // How the suites are run: on threads that may block, a few tests at a time.
        .target(
            name: "TestSupport", dependencies: ["WireSupport", "CPlatform"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "TestSupportTests", dependencies: ["TestSupport", "WireSupport"], swiftSettings: settings),
        .executableTarget(
            name: "server-per-test", dependencies: ["MockServer", "WireSupport"], path: "Benchmarks/ServerPerTest",
            swiftSettings: settings),
        // Clients that abuse a server, and others that measure meanwhile.
        .executableTarget(
            name: "abuse", dependencies: ["WireSupport", "TLSSupport"], path: "Benchmarks/Abuse",
            swiftSettings: settings),
        .testTarget(
            name: "MockServerTests",
            dependencies: [
                "TestSupport",
                "MockServer", "Proxy", "Upstream", "Fixtures", "JSONText", "HTTPServer", "HTTPWire", "HTTPSyntax",
                "EventLoops", "SystemIO", "CZlib",
                "WireSupport", httpTypes,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReportsTests", dependencies: ["TestSupport", "Reports", "JSONText", "WireSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ContractTests",
            dependencies: ["TestSupport", "Contract", "Reports", "MockServer", "JSONText", "WireSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "RunningTests",
            dependencies: [
                "TestSupport", "Running", "Reports", "mockapi", "MockServer", "Fixtures", "JSONText", "WireSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MockServerTestingTests",
            dependencies: [
                "TestSupport",
                "MockServerTesting", "MockServerXCTesting", "TestScope", "NetworkingTesting", "NetworkingKit",
                "FixtureNetworking",
                "UpstreamNetworking", "Contract", "WireSupport",
            ],
            swiftSettings: settings),
        // Secrets of our own making, for the tests that look for them.
        .target(name: "SecretsSupport", path: "Tests/SecretsSupport", swiftSettings: settings),
        .testTarget(
            name: "SecretsTests",
            dependencies: ["TestSupport", "Secrets", "JSONText", "SecretsSupport", "WireSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "RecordingTests",
            dependencies: [
                "TestSupport",
                "Recording", "Proxy", "Secrets", "ContentCodings", "Upstream", "MockServer", "Fixtures", "JSONText",
                "HTTPServer", "HTTPWire", "HTTPSyntax", "WireSupport",
            ],
            swiftSettings: settings),
        .testTarget(name: "ProxyTests", dependencies: ["TestSupport", "Proxy"], swiftSettings: settings),
        .testTarget(
            name: "DriftTests", dependencies: ["TestSupport", "Drift", "JSONText"], swiftSettings: settings),
        .testTarget(
            name: "YAMLTextTests", dependencies: ["TestSupport", "YAMLText", "JSONText"], swiftSettings: settings),
        .testTarget(
            name: "UpstreamTests",
            dependencies: [
                "TestSupport",
                "Upstream", "CCurl", "MockServer", "HTTPServer", "EventLoops", "HTTPWire", "HTTPSyntax", "WireSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CommandTests",
            dependencies: ["TestSupport", "mockapi", "abuse", "Fixtures", "JSONText", "SecretsSupport", "WireSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "NetworkingKitTests",
            dependencies: [
                "TestSupport", "readme-snippet",
                "NetworkingKit", "Presentables", "ImageFormats", "FixtureNetworking", "UpstreamNetworking",
                "NetworkingTesting", "MockServer", "WireSupport", httpTypes,
            ],
            swiftSettings: settings),
        // README's program of the client library, as it stands there.
        .executableTarget(
            name: "readme-snippet", dependencies: ["NetworkingKit"], path: "Tests/ReadmeSnippet",
            swiftSettings: settings),
        .testTarget(
            name: "ArticlesTests",
            dependencies: [
                "TestSupport", "articles", "NetworkingKit", "Presentables", "ImageFormats", "MockServer", "WireSupport",
                httpTypes,
            ],
            swiftSettings: settings),
    ]
)
