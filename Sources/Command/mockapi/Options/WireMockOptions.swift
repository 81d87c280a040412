// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiUpstream

/// WireMock's command line, as that of `mockapi serve`.
///
/// Options and their defaults are those of WireMock 3's `CommandLineOptions`; a value stands behind `=` or in the next argument.
struct WireMockOptions {
    /// How an option of WireMock's is treated.
    enum Meaning {
        /// Ours of the same meaning, which the value goes to.
        case option(String)
        /// Ours, with a value that is a number of milliseconds.
        case milliseconds(String)
        /// Arguments of ours, unless the value is `false`.
        case flag([String])
        /// An option that belongs to the Java process or sets the only behaviour here; it may have a value.
        case noEffect(String)
        /// An option that we do not have: the reason, and the nearest way.
        case missing(String)
        case port
        case address
        case rootDirectory
        case proxyAll
        case recordMappings
        case matchHeaders
        case httpsPort
        case preserveHost
        case browserProxy
        case proxyVia
        case allowedTargets
        case deniedTargets
        case passThrough
        case withoutHTTP
        case keyStore
        case keyStorePassword
        case keyPassword
        case trustStore
        case trustStorePassword
        case clientCertificates
        case journalEntries
        case adminCredentials
        case adminTLS
        /// One of two that leave HTTP/2 out together; alone it has the reason why it does not.
        case withoutHTTP2(String)
    }

    /// The arguments of `mockapi serve`.
    private(set) var arguments: [String] = []
    /// A line for each option that is not carried out.
    private(set) var notes: [String] = []

    private(set) var root = "."
    private var port: String?
    private var address = "0.0.0.0"
    /// The service that unmatched requests are passed on to.
    private(set) var upstream: String?
    /// Whether passed-on requests are written to the directory, and the header lines that they are matched by.
    private(set) var records = false
    private(set) var headers: [String] = []
    /// The port that clients with TLS are given.
    private(set) var httpsPort: Int?
    /// Whether proxied requests have the client's host.
    private(set) var preservesHost = false
    /// Whether clients may use the server as their proxy, and whether their requests without a stub are passed on.
    private(set) var isBrowserProxy = false
    private(set) var passesProxied = true
    /// The rules for servers that requests may be passed on to, and for those among them that they may not.
    private var allowedTargets: [String] = []
    private var deniedTargets: [String] = []
    /// The servers that requests may be passed on to; nil for all.
    private(set) var targets: UpstreamTargets?
    /// Whether the port for clients with TLS is the only one.
    private var isWithoutHTTP = false
    private var keyStorePath: String?
    private var keyStorePassword = Self.password
    private var keyPassword: String?
    private var trustStorePath: String?
    private var trustStorePassword = Self.password
    /// Whether clients with TLS need a certificate.
    private var needsCertificates = false
    /// How many requests the journal shows.
    private(set) var journalEntries: Int?
    private(set) var adminAccess = AdminAccess()
    /// The notes of the options that leave HTTP/2 out, by their names.
    private var withoutHTTP2: [String: String] = [:]

    /// The password of a key store that none is given for. "password".
    private static let password = "password"

    /// The key of the server with its certificate.
    private(set) var keyStore: TLSSettings.KeyStore?
    /// The authorities of the certificates that clients need; nil if they need none.
    private(set) var trustStore: TLSSettings.KeyStore?

    /// An argument that is not an option of WireMock's.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ given: [String]) throws(Failure) {
        var rest = given[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                throw Failure(description: "\"\(argument)\" is not an option of WireMock's: options begin with --")
            }
            let name = String(argument.prefix { $0 != "=" })
            var value = argument.utf8.count > name.utf8.count ? String(argument.dropFirst(name.count + 1)) : nil
            guard let meaning = Self.meanings[name] else {
                let near = Nearest.word(to: name, among: Self.meanings.keys.sorted()).flatMap {
                    $0.isNear ? $0.word : nil
                }
                throw Failure(
                    description: "\(name) is not an option of WireMock's"
                        + (near.map { "; did you mean \($0)?" } ?? "; mockapi serve --help lists ours"))
            }
            if value == nil, let next = rest.first, !next.hasPrefix("--") {
                value = next
                rest.removeFirst()
            }
            try take(name, meaning, value)
        }
        if withoutHTTP2.count == 2 { arguments.append("--no-http2") } else { notes += withoutHTTP2.values }
        if records, upstream == nil { notes.append("--record-mappings has no effect without --proxy-all URL") }
        keyStore = keyStorePath.map {
            TLSSettings.KeyStore(path: $0, password: keyStorePassword, keyPassword: keyPassword)
        }
        if needsCertificates {
            guard let trustStorePath else {
                throw Failure(
                    description: "--https-require-client-cert needs --https-truststore FILE in PKCS#12 or JKS")
            }
            trustStore = TLSSettings.KeyStore(path: trustStorePath, password: trustStorePassword)
        } else if trustStorePath != nil {
            notes.append("--https-truststore has no effect without --https-require-client-cert")
        }
        if isWithoutHTTP, let only = httpsPort {
            port = "\(only)"
            httpsPort = nil
        } else if isWithoutHTTP {
            notes.append("--disable-http has no effect without --https-port")
        }
        if !allowedTargets.isEmpty || !deniedTargets.isEmpty {
            targets = try Self.targets(allowedTargets, deniedTargets, for: "--allow-proxy-targets")
        }
        if let port { arguments.append("--port=\(port)") }
        arguments = [root, "--wiremock", "--host=\(address)"] + arguments
    }

    /// The word to write in the place of an option of WireMock's that another command was given; nil for an option that WireMock does
    /// not have, and for an option that has a namesake here.
    static func advice(on option: String) -> String? {
        guard let meaning = meanings[option] else { return nil }
        let ours: String =
            switch meaning {
            case .option(let name), .milliseconds(let name): "here it is \(name)"
            case .flag(let arguments): "here it is \(arguments.joined(separator: " "))"
            case .port: "here it is --port"
            case .address: "here it is --host"
            case .rootDirectory: "here it is the directory without an option"
            case .proxyAll: "here it is --proxy-unmatched"
            case .recordMappings: "here it is --record new"
            case .noEffect(let reason), .missing(let reason), .withoutHTTP2(let reason): reason
            case .keyStore, .keyStorePassword, .keyPassword: "here they are files in PEM, --tls-cert and --tls-key"
            case .trustStore, .trustStorePassword, .clientCertificates: "here it is a file in PEM, --client-ca"
            case .proxyVia: "here it is --proxy"
            case .matchHeaders, .httpsPort, .preserveHost, .browserProxy, .passThrough, .allowedTargets, .deniedTargets,
                .withoutHTTP, .journalEntries, .adminCredentials, .adminTLS:
                "mockapi wiremock takes it"
            }
        // Some commands have an option of this name; the one at hand does not.
        if ours == "here it is \(option)" || option == "--timeout" { return nil }
        return "\(option) is an option of WireMock's: \(ours)"
    }

    private mutating func take(_ name: String, _ meaning: Meaning, _ value: String?) throws(Failure) {
        switch meaning {
        // Joined, so that a value that begins with -- stays one.
        case .option(let ours): arguments.append("\(ours)=\(try Self.needed(value, of: name))")
        case .milliseconds(let ours): arguments.append("\(ours)=\(try Self.needed(value, of: name))ms")
        case .flag(let ours): if value != "false" { arguments += ours }
        case .noEffect(let reason): notes.append("\(name) has no effect here: \(reason)")
        case .missing(let reason): notes.append(Self.lacking(name, reason))
        case .withoutHTTP2(let reason): if value != "false" { withoutHTTP2[name] = Self.lacking(name, reason) }
        case .preserveHost: preservesHost = value != "false"
        case .proxyVia:
            let proxy = try Self.needed(value, of: name)
            arguments.append("--proxy=\(proxy.utf8.firstRange(of: "://".utf8) == nil ? "http://" : "")\(proxy)")
        case .allowedTargets:
            allowedTargets = try Self.list(value, of: name)
            _ = try Self.targets(allowedTargets, [], for: name)
        case .deniedTargets:
            deniedTargets = try Self.list(value, of: name)
            _ = try Self.targets([], deniedTargets, for: name)
        case .browserProxy: isBrowserProxy = value != "false"
        case .passThrough: passesProxied = value != "false"
        case .withoutHTTP: isWithoutHTTP = value != "false"
        case .keyStore: keyStorePath = try Self.needed(value, of: name)
        case .keyStorePassword: keyStorePassword = try Self.needed(value, of: name)
        case .keyPassword: keyPassword = try Self.needed(value, of: name)
        case .trustStore: trustStorePath = try Self.needed(value, of: name)
        case .trustStorePassword: trustStorePassword = try Self.needed(value, of: name)
        case .clientCertificates: needsCertificates = value != "false"
        case .adminTLS: adminAccess.needsTLS = value != "false"
        case .adminCredentials:
            let text = try Self.needed(value, of: name)
            guard text.contains(":") else {
                throw Failure(description: "\(name) needs a name and a password with a colon between")
            }
            adminAccess.credentials = text
        case .journalEntries:
            let text = try Self.needed(value, of: name)
            guard let count = Int(text), count >= 0 else {
                throw Failure(description: "\(name) must be a number of entries, found \"\(text)\"")
            }
            journalEntries = count
        case .port: port = try Self.needed(value, of: name)
        case .address: address = try Self.needed(value, of: name)
        case .rootDirectory: root = try Self.needed(value, of: name)
        case .proxyAll: upstream = try Self.needed(value, of: name)
        case .recordMappings: records = value != "false"
        case .httpsPort:
            let text = try Self.needed(value, of: name)
            guard let port = Int(text), (0...65535).contains(port) else {
                throw Failure(description: "\(name) must be between 0 and 65535, found \"\(text)\"")
            }
            httpsPort = port
        case .matchHeaders: headers = try Self.list(value, of: name)
        }
    }

    private static func lacking(_ name: String, _ reason: String) -> String { "\(name) is not supported: \(reason)" }

    private static func list(_ value: String?, of name: String) throws(Failure) -> [String] {
        try needed(value, of: name).split(ascii: ",").map { String($0.trimmingBlanks) }
    }

    private static func needed(_ value: String?, of name: String) throws(Failure) -> String {
        guard let value else { throw Failure(description: "\(name) needs a value") }
        return value
    }

    /// - Parameter name: the option that is named if a rule cannot be read.
    private static func targets(_ allowed: [String], _ denied: [String], for name: String) throws(Failure)
        -> UpstreamTargets
    {
        guard !allowed.isEmpty || !denied.isEmpty else { throw Failure(description: "\(name) needs a rule") }
        do throws(UpstreamTargets.Mistake) {
            return try UpstreamTargets(allowed: allowed, denied: denied)
        } catch {
            throw Failure(description: "\(name): \(error)")
        }
    }

    /// Whether an option was given that is not carried out though it changes the responses.
    var lacksSupport: Bool { notes.contains { $0.contains(" is not supported: ") } }

    private static let java = "it is for the Java process"

    static let meanings: [String: Meaning] = [
        "--port": .port, "--bind-address": .address, "--root-dir": .rootDirectory,
        "--https-port": .httpsPort,
        "--disable-http": .withoutHTTP,
        "--disable-http2-plain": .withoutHTTP2("--no-http2 leaves HTTP/2 out, with TLS too"),
        "--disable-http2-tls": .withoutHTTP2("--no-http2 leaves HTTP/2 out, without TLS too"),
        "--verbose": .flag(["--log-format", "text"]), "--print-all-network-traffic": .flag(["--log-format", "text"]),
        "--disable-request-logging": .flag(["--quiet"]), "--disable-banner": .noEffect("there is no banner"),
        "--proxy-all": .proxyAll, "--record-mappings": .recordMappings,
        "--match-headers": .matchHeaders,
        "--preserve-host-header": .preserveHost,
        "--preserve-user-agent-proxy-header": .noEffect("User-Agent goes on as it is"),
        "--proxy-via": .proxyVia,
        "--proxy-timeout": .milliseconds("--timeout"),
        "--supported-proxy-encodings": .noEffect("codings go on as the client asks for them"),
        "--proxy-pass-through": .passThrough, "--enable-browser-proxying": .browserProxy,
        "--trust-all-proxy-targets": .flag(["--insecure"]),
        "--trust-proxy-target": .missing("--cacert FILE names authorities to trust"),
        "--ca-keystore": .missing("mockapi ca prints the development CA; the key store of a CA is not read"),
        "--ca-keystore-password": .missing("the key store of a CA is not read"),
        "--ca-keystore-type": .missing("the key store of a CA is not read"),
        "--allow-proxy-targets": .allowedTargets, "--deny-proxy-targets": .deniedTargets,
        "--global-response-templating": .flag(["--global-response-templating"]),
        "--local-response-templating": .noEffect("stubs that ask for it are rendered"),
        "--disable-response-templating": .missing("stubs that ask for it are rendered"),
        "--max-template-cache-entries": .noEffect("templates are compiled when they are loaded"),
        "--permitted-system-keys": .missing("templates read nothing outside of the fixtures"),
        "--no-request-journal": .flag(["--journal-limit", "0"]),
        "--disable-request-journal": .flag(["--journal-limit", "0"]),
        "--max-request-journal-entries": .journalEntries,
        "--logged-response-body-size-limit": .noEffect("the journal keeps bodies within its own bounds"),
        "--container-threads": .noEffect(java), "--jetty-acceptor-threads": .noEffect(java),
        "--jetty-accept-queue-size": .noEffect(java), "--jetty-header-request-size": .option("--max-head"),
        "--jetty-header-response-size": .noEffect("heads of responses have no limit"),
        "--jetty-stop-timeout": .milliseconds("--grace"), "--jetty-idle-timeout": .milliseconds("--idle-timeout"),
        "--timeout": .noEffect(java), "--async-response-enabled": .noEffect("no response holds a thread"),
        "--async-response-threads": .noEffect("no response holds a thread"),
        "--webhook-threadpool-size": .noEffect(java), "--max-http-client-connections": .noEffect(java),
        "--disable-connection-reuse": .noEffect(java),
        "--use-chunked-encoding": .noEffect("responses have a length"),
        "--disable-gzip": .noEffect("a body is coded if its stub says so"),
        "--disable-strict-http-headers": .missing("heads are read strictly"),
        "--enable-stub-cors": .flag(["--cors"]),
        "--https-keystore": .keyStore, "--keystore-password": .keyStorePassword,
        "--keystore-type": .noEffect("the file shows whether it is PKCS#12 or JKS"),
        "--key-manager-password": .keyPassword,
        "--https-truststore": .trustStore, "--truststore-password": .trustStorePassword,
        "--truststore-type": .noEffect("the file shows whether it is PKCS#12 or JKS"),
        "--https-require-client-cert": .clientCertificates,
        "--admin-api-basic-auth": .adminCredentials, "--admin-api-require-https": .adminTLS,
        "--extensions": .missing("code in Java is not run"),
        "--disable-extensions-scanning": .noEffect("code in Java is not run"),
        "--load-resources-from-classpath": .missing("there is no class path; --root-dir names a directory"),
        "--filename-template": .missing("recordings are named by method and path"),
    ]
}
