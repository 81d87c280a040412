// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Services that change for a week: what `mockapi verify --update` says of each at each time, and what it writes.
@Suite(.supervised) struct VerifyWeekTests {
    /// What a service answers by: fields of another type with each break, one more with each addition.
    private struct Version: Equatable {
        var breaks = 0
        var additions = 0
    }

    /// What becomes of a request.
    private enum Moment: CaseIterable {
        case answer
        // Nothing can be said of the service.
        case down500, down502, down503, down504, limited429, limited403, expired, reset
        // What comes is another thing, and no new recording.
        case loginPage, loginRedirection, maintenance, gateway404, empty, cut

        var isUnclear: Bool {
            switch self {
            case .down500, .down502, .down503, .down504, .limited429, .limited403, .expired, .reset: true
            default: false
            }
        }
    }

    private enum Form: CaseIterable {
        case object, list, lines, table, markup

        var mediaType: String {
            switch self {
            case .object, .list: "application/json"
            case .lines: "application/x-ndjson"
            case .table: "text/csv"
            case .markup: "application/xml"
            }
        }

        func body(_ version: Version) -> String {
            let isOdd = version.breaks % 2 == 1
            let item =
                #"{"id": 1, "name": \#(isOdd ? "7" : #""a""#)\#((0..<version.additions).map { #", "x\#($0)": 1"# }.joined())}"#
            switch self {
            case .object: return #"{"data": \#(item), "n": 1}"#
            case .list: return "[\(item), \(item)]"
            case .lines: return item + "\n" + item + "\n"
            case .table:
                let names = (0..<version.additions).map { ",x\($0)" }.joined()
                let cells = (0..<version.additions).map { _ in ",b" }.joined()
                return "id,\(isOdd ? "title" : "name")\(names)\n1,a\(cells)\n2,b\(cells)\n"
            case .markup:
                let name = isOdd ? "title" : "name"
                let more = (0..<version.additions).map { "<x\($0)>1</x\($0)>" }.joined()
                return "<order><id>1</id><\(name)>a</\(name)>\(more)</order>"
            }
        }
    }

    private struct Service {
        let path: String
        let form: Form
        /// Its stub's, which answers name.
        let id: String
        var live = Version()
        var recorded = Version()
        var moment = Moment.answer

        /// The state that a verdict is to have.
        var expected: String {
            if moment.isUnclear { return "not checked" }
            // No line is an empty list.
            if moment == .empty, form == .lines { return "compatible" }
            if moment != .answer || live.breaks % 2 != recorded.breaks % 2 { return "broken" }
            return live.additions > recorded.additions ? "compatible" : "honoured"
        }

        var response: String {
            func text(_ status: Int, _ type: String, _ body: String, _ more: String = "") -> String {
                let headers = #"{"Content-Type": "\#(type)"\#(more)}"#
                return #"{"status": \#(status), "headers": \#(headers), "body": \#(Self.quoted(body))}"#
            }
            let (page, wait) = ("<!doctype html><h1>x</h1>", #", "Retry-After": "0""#)
            let whole = form.body(live)
            switch moment {
            case .answer: return text(200, form.mediaType, whole)
            case .down500: return text(500, "text/html", page)
            case .down502: return text(502, "text/plain", "bad gateway")
            case .down503: return text(503, "application/json", "{}")
            case .down504: return text(504, form.mediaType, whole)
            case .limited429: return text(429, "application/json", #"{"error": "slow"}"#, wait)
            case .limited403: return text(403, "text/html", page, wait)
            case .expired: return text(401, "application/json", #"{"error": "expired"}"#)
            case .reset: return #"{"fault": "CONNECTION_RESET_BY_PEER"}"#
            case .loginPage: return text(200, "text/html", page)
            case .loginRedirection: return text(302, "text/html", "", #", "Location": "/login""#)
            case .maintenance: return text(200, "application/json", #"{"error": "maintenance"}"#)
            case .gateway404: return text(404, "application/json", #"{"message": "no route"}"#)
            case .empty: return text(200, form.mediaType, "")
            case .cut: return text(200, form.mediaType, form == .table ? "id" : String(whole.dropLast(3)))
            }
        }

        private static func quoted(_ text: String) -> String {
            String(decoding: JSONWriter.compact(.string(text)), as: UTF8.self)
        }

        var mapping: String {
            #"{"id": "\#(id)", "request": {"method": "GET", "url": "\#(path)"}, "response": \#(response)}"#
        }
    }

    /// Has a service answer by what the services are now.
    private func set(_ services: [Service], _ live: LiveService) async throws {
        let mappings = #"{"mappings": [\#(services.map(\.mapping).joined(separator: ", "))]}"#
        let port = try await live.command.port()
        try await blocking {
            let client = try WireClient(port: port)
            #expect(try client.request("DELETE", "/__admin/mappings").status == 200)
            let answer = try client.request("POST", "/__admin/mappings/import", body: mappings)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    /// The states of the fixtures that are not honoured, by their paths.
    private func states(_ output: String) throws -> [String: String] {
        var states: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let node = try JSONParser.parse(String(line))
            guard let file = node["file"]?.string, let state = node["state"]?.string else { continue }
            let name = file.prefix { $0 != "." }
            states["/" + name] = state
        }
        return states
    }

    @Test func `a week of outages, limits and deploys gives no verdict too many and overwrites nothing good`()
        async throws
    {
        let seed = UInt64(Thoroughness.rounds(56, thorough: .random(in: 0..<1 << 32)))
        var random = SplitMix(seed: seed)
        var services = (0..<30).map { index in
            Service(
                path: "/s\(index)", form: Form.allCases[index % Form.allCases.count],
                id: "00000000-0000-4000-8000-0000000000\(index + 10)")
        }
        let live = try await LiveService([:])
        try await set(services, live)
        let fixtures = try TemporaryDirectory()
        let recorded = try await Command.run(
            ["record", live.url, "--into", fixtures.path] + services.flatMap { ["--get", $0.path] })
        #expect(recorded.code == 0, "\(recorded)")
        for hour in 0..<Thoroughness.rounds(12, thorough: 168) {
            for index in services.indices {
                services[index].moment = .answer
                switch Int.random(in: 0..<12, using: &random) {
                case 0: services[index].live.breaks += 1
                case 1: services[index].live.additions += 1
                case 2...5: services[index].moment = Moment.allCases.randomElement(using: &random) ?? .answer
                default: break
                }
            }
            try await set(services, live)
            let end = try await Command.run(
                "verify", fixtures.path, "--against", live.url, "--update", "--retries", "0", "--info", "--json", "-")
            // Behind the verdicts stands what was written.
            let lines = end.output.split(separator: "\n").filter { $0.hasPrefix("{") }.joined(separator: "\n")
            let seen = try states(lines)
            for service in services {
                #expect(
                    seen[service.path] ?? "honoured" == service.expected,
                    "seed \(seed), hour \(hour), \(service.path): \(service.moment) \(service.response)")
            }
            let isUnclear = services.contains(where: \.moment.isUnclear)
            let isBroken = services.contains { $0.expected == "broken" }
            #expect(end.code == (isUnclear ? 4 : isBroken ? 1 : 0), "seed \(seed), hour \(hour)")
            for index in services.indices
            where services[index].expected == "broken" && services[index].moment == .answer {
                services[index].recorded = services[index].live
            }
            for service in services {
                let file = try #require(
                    ["json", "ndjson", "jsonl", "csv", "xml"].map { "\(service.path.dropFirst()).\($0)" }.first {
                        !fixtures.bytes($0).isEmpty
                    }, "seed \(seed), hour \(hour): \(service.path) is gone")
                #expect(
                    fixtures.text(file) == service.form.body(service.recorded),
                    "seed \(seed), hour \(hour), \(service.path): \(service.moment)")
            }
        }
    }
}
