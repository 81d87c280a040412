// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ServerURL {
    /// The server of this container; outside of one, the server that variables of the environment name, or that `mockapi serve` is
    /// without options.
    static var own: ServerURL? {
        let words = ProcessInfo.processInfo.environment
        return own(arguments: firstProcess) { words[$0] }
    }

    /// The arguments of process 1, if it is this program: the first is its path.
    private static var firstProcess: [String] {
        guard let bytes = FileManager.default.contents(atPath: "/proc/1/cmdline") else { return [] }
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        return words.first?.split(ascii: "/").last == "mockapi" ? words : []
    }

    private static func own(arguments: [String], _ variable: (String) -> String?) -> ServerURL? {
        var words = (variable("WIREMOCK_OPTIONS") ?? "").split(ascii: " ").map(String.init)
        for (name, option) in [("MOCKAPI_HOST", "--host"), ("MOCKAPI_PORT", "--port")] {
            if let value = variable(name), !value.isEmpty { words += [option, value] }
        }
        // The words behind -- are another command's.
        words += arguments.dropFirst().prefix { $0 != "--" }
        let port = value(of: ["--port", "-p"], in: words) ?? "8080"
        let host = value(of: ["--host", "--bind-address"], in: words) ?? ""
        // A server that listens on all addresses listens on this one.
        let isAll = ["", "*", "0.0.0.0", "::"].contains(host)
        let shown = isAll ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
        return ServerURL(argument: "http://\(shown):\(port)")
    }

    /// The value of the last of these options, behind `=` or in the next word.
    private static func value(of names: [String], in words: [String]) -> String? {
        var value: String?
        for (index, word) in words.enumerated() {
            for name in names {
                if word == name, index + 1 < words.count { value = words[index + 1] }
                if word.hasPrefix(name + "=") { value = String(word.dropFirst(name.count + 1)) }
            }
        }
        return value
    }
}
