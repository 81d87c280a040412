// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiProxy
import MockapiSecrets
import MockapiUpstream
import Synchronization

// The requests for a fixture, and the values of responses that later ones need.
extension Verifier {
    struct NotAsked: Error {
        let state: FixtureVerdict.State
    }

    /// The request of a fixture, or why there is none.
    func plan(_ fixture: VerifiedFixture) -> Result<AskedRequest, NotAsked> {
        if fixture.verify == false { return .failure(NotAsked(state: .skipped("not to be verified"))) }
        switch fixture.source {
        case .file(let file):
            // As an app asks for it: without the extension first.
            let paths = file.requestPaths.map(Self.encodedPath).sorted { $0.utf8.count < $1.utf8.count }
            guard let first = paths.first else { return .failure(NotAsked(state: .skipped("not served"))) }
            var request = AskedRequest(method: "GET", target: first, fields: [])
            request.otherTargets = Array(paths.dropFirst())
            return .success(request)
        case .stub(let stub):
            if let reason = fixture.noResponseReason { return .failure(NotAsked(state: .skipped(reason))) }
            let method =
                fixture.recorded?["request"]?.string.flatMap { $0.split(ascii: " ").first.map(String.init) }
                ?? stub.request.method ?? "GET"
            if !AskedRequest.isSafe(method), !options.allowsUnsafe, fixture.verify != true {
                return .failure(NotAsked(state: .skipped("unsafe methods")))
            }
            let builder = RequestBuilder(
                stub: stub, recorded: fixture.recorded, root: root, secrets: secrets.withLock { $0 },
                captures: captureNames)
            do throws(Unclear) {
                var request = try builder.request()
                let target = followed.withLock { $0.followed(request.target) }
                if target != request.target { request.followedTarget = target }
                add(to: &request, origin(of: fixture), statuses: Set(stub.responses.map(\.status)))
                if let name = builder.missingCredentials(request.fields) {
                    throw Unclear(
                        text: "it needs a line \(name); give --header or --secret header.\(name)=env:VARIABLE")
                }
                return .success(request)
            } catch {
                return .failure(NotAsked(state: .unchecked(error.text)))
            }
        }
    }

    /// The request of a fixture as it is made; nil if there is none.
    package func request(of fixture: VerifiedFixture) -> AskedRequest? {
        guard case .success(let request) = plan(fixture) else { return nil }
        return request
    }

    func origin(of fixture: VerifiedFixture) -> UpstreamOrigin {
        origins.dropFirst().first { $0.text == fixture.origin } ?? origins[0]
    }

    /// Adds the lines of the command line, but no credentials to a request that was refused for the lack of them.
    func add(to request: inout AskedRequest, _ origin: UpstreamOrigin, statuses: Set<Int>) {
        let authorization = origin.authorization.map { [UpstreamField("Authorization", $0)] } ?? []
        let wasRefused = !statuses.isEmpty && statuses.isSubset(of: [401, 403, 407])
        for field in origin.fields + authorization + options.defaultFields {
            let name = field.name.lowercased()
            if wasRefused, CredentialNames.isHeader(field.name) { continue }
            if !request.fields.contains(where: { $0.name.lowercased() == name }) { request.fields.append(field) }
        }
    }

    static func encodedPath(_ path: String) -> String {
        path.split(ascii: "/", omittingEmptySubsequences: false).map { PercentCoding.encode(String($0)) }
            .joined(separator: "/")
    }

    // MARK: Values of responses

    /// Keeps the values of a response that later requests need: those that the stub captures, and those in the places of placeholders.
    func learn(from response: ResponseSample, _ fixture: VerifiedFixture, _ recorded: [ResponseSample]) {
        let captures = fixture.captures
        let hidden = recorded.first { $0.status == response.status && $0.hasPlaceholder }
        let gives = followed.withLock { $0.sources[fixture.name] != nil }
        guard !captures.isEmpty || hidden != nil || gives, let live = try? JSONParser.parse(response.body) else {
            return
        }
        if gives { followed.withLock { $0.learn(from: live, of: fixture.name) } }
        secrets.withLock { secrets in
            for (name, pointer) in captures {
                if let value = RecordedPlaceholders.text(JSONPlace(pointer: pointer).values(in: live).first) {
                    secrets.capture(name, value)
                }
            }
            guard let hidden, let known = try? JSONParser.parse(hidden.body) else { return }
            for (name, value) in RecordedPlaceholders.placeholders(in: known, filledBy: live)
            where secrets.value(name) == nil {
                secrets.set(name, value)
            }
        }
    }
}
