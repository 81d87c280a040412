// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiContract

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The requirements themselves.
@Suite(.supervised) struct RequirementTests {
    @Test func everyRequirementHasAnIdOfItsOwn() {
        let ids = ContractRequirements.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /[a-z0-9.-]+/) != nil })
    }

    @Test func noPathOfAStepIsAboveAnother() {
        let paths = ContractRequirements.all.map(\.step.path)
        for path in paths { #expect(!paths.contains { $0.hasPrefix("\(path)/") }) }
    }

    /// A requirement that nobody can fail is none.
    @Test(arguments: ContractRequirements.all.map(\.id))
    func aClientThatDoesNothingMeetsNothing(_ id: String) throws {
        let requirement = try #require(ContractRequirements.all.first { $0.id == id })
        let verdict = requirement.verdict(StepEvidence(requirement.step, outcomes: [], journal: []))
        #expect(verdict.result == .fail)
        #expect(!verdict.seen.isEmpty)
    }

    /// If a connection is lost before the request comes, the client's other requests show which protocol it speaks.
    @Test func `streams do not concern a client that speaks HTTP/1.1 elsewhere`() async throws {
        let server = try await MockServer.start(stubs: [])
        _ = try WireClient(port: server.baseURL.port ?? 0).request("GET", "/contract/method.get")
        let entries = server.journal.entries
        await server.stop()
        for id in ["h2.goaway", "h2.goaway.handled", "h2.reset"] {
            let requirement = try #require(ContractRequirements.all.first { $0.id == id })
            let verdict = { (outcomes: [StepOutcome], journal: [JournalEntry]) in
                let verdict = requirement.verdict(StepEvidence(requirement.step, outcomes: outcomes, journal: journal))
                return "\(verdict.result.rawValue): \(verdict.seen)"
            }
            let lost = [StepOutcome(.connection, "broken pipe")]
            #expect(verdict(lost, entries) == "not applicable: the client speaks HTTP/1.1", "\(id)")
            #expect(verdict(lost, []).hasPrefix("fail: "), "\(id)")
            #expect(verdict([], entries) == "fail: the client reported nothing", "\(id)")
        }
    }

    /// The verdict on responses that are all as they should be, to the requests of a journal.
    private func verdict(_ id: String, on journal: [JournalEntry]) throws -> String {
        let requirement = try #require(ContractRequirements.all.first { $0.id == id })
        let outcomes = Array(
            repeating: StepOutcome(status: 200, body: Array("ok".utf8)), count: requirement.step.times)
        let verdict = requirement.verdict(StepEvidence(requirement.step, outcomes: outcomes, journal: journal))
        return "\(verdict.result.rawValue): \(verdict.seen)"
    }

    @Test func `the exception of a proxy is judged if the client takes a proxy`() async throws {
        let server = try await MockServer.start(stubs: [])
        let client = try WireClient(port: server.baseURL.port ?? 0)
        let itself = "/contract/proxy.exception"
        for target in ["http://127.0.0.3:9/contract/proxy.environment", itself, "http://127.0.0.1:9" + itself] {
            _ = try client.request("GET", target)
        }
        let entries = server.journal.entries
        try #require(entries.count == 3)
        let taken = try verdict("proxy.exception", on: [entries[0], entries[1]])
        #expect(taken == "pass: ")
        let untaken = try verdict("proxy.exception", on: [entries[1]])
        #expect(
            untaken
                == "not applicable: the client takes no proxy from its environment, or none for a loopback address")
        let asked = try verdict("proxy.exception", on: [entries[0], entries[2]])
        #expect(asked == "fail: the proxy is asked: GET http://127.0.0.1:9/contract/proxy.exception")
        await server.stop()
    }

    /// A connection for each request.
    @Test func `fewer streams are not judged of a client that opens one`() async throws {
        let requirement = try #require(ContractRequirements.all.first { $0.id == "h2.settings" })
        let server = try await MockServer.start(stubs: requirement.stubs)
        let url = "\(server.baseURL)\(requirement.step.path)"
        let script = "for i in $(seq 20); do curl -sS --http2-prior-knowledge '\(url)'; done"
        let end = try await Command(line: ["/bin/sh", "-ec", script]).end()
        #expect(end.errors == "")
        let entries = server.journal.entries
        #expect(entries.count == 20)
        let few = try verdict("h2.settings", on: entries)
        #expect(few == "not applicable: the client opens fewer than 20 streams at once")
        await server.stop()
    }

    /// An error says nothing of a client that has one for everything.
    @Test func `requirements that errors meet are not asked alone`() {
        let ids = { (only: [String], except: [String]) in Requirement.chosen(only: only, except: except).map(\.id) }
        #expect(ids(["fault.reset", "retry.timeout"], []) == ["method.get", "retry.timeout", "fault.reset"])
        #expect(ids(["cancel"], ["method"]) == ["method.get", "cancel.ends", "cancel.pool"])
        #expect(ids(["fault.reset", "fault.slow"], []) == ["fault.reset", "fault.slow"])
        #expect(ids(["retry.503", "retry.timeout"], []) == ["retry.503", "retry.timeout"])
        #expect(ids(["tls.host", "netrc.caller"], []) == ["tls.trusted", "netrc.host", "tls.host", "netrc.caller"])
        #expect(ids(["tls.unknown", "netrc.redirect"], ["netrc.redirect.port"]) == ["tls.unknown", "netrc.redirect"])
        let excepted = ids(["tls.host", "proxy.exception"], ["tls.trusted", "proxy.environment"])
        #expect(excepted == ["tls.host", "proxy.exception"])
        #expect(ids(["proxy.exception"], []) == ["proxy.environment", "proxy.exception"])
        #expect(ids([], []).count == ContractRequirements.all.count)
    }

    /// One response to a client that can do little else is no reason to believe its errors.
    @Test func `of a client that fails most requests no error meets a requirement`() throws {
        let fault = try #require(ContractRequirements.all.first { $0.id == "fault.reset" })
        var error = Verdict("fault.reset", "", .pass, expected: "")
        error.restsOnError = true
        let passed = Verdict("method.get", "", .pass, expected: "")
        let failed = (0..<6).map { Verdict("answer.\($0)", "", .fail, expected: "") }
        let result = { (verdicts: [Verdict]) in
            Requirement.whole(verdicts, of: [fault]).last.map { "\($0.result.rawValue): \($0.seen)" }
        }
        #expect(result([passed] + failed.prefix(5) + [error]) == "pass: ")
        #expect(result([passed] + failed + [error]) == "fail: an error, as to most other requests")
        #expect(result(failed.prefix(1) + [error]) == "fail: an error, as to most other requests")
        #expect(result([error]) == "pass: ")
        error.restsOnError = false
        #expect(result([passed] + failed + [error]) == "pass: ")
    }

    @Test func everyImageIsOfItsFormat() {
        let starts: [String: [UInt8]] = [
            "png": [0x89, 0x50, 0x4E, 0x47], "jpeg": [0xFF, 0xD8, 0xFF], "gif": Array("GIF8".utf8),
            "webp": Array("RIFF".utf8),
            "svg": Array("<svg".utf8),
        ]
        #expect(Set(ContractImages.all.map(\.name)) == Set(starts.keys))
        for image in ContractImages.all { #expect(image.bytes.starts(with: starts[image.name] ?? [0])) }
    }
}
