// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiSystemIO

/// The responses that came to fixtures' requests and were kept beside the fixtures: samples as the recorded ones are.
///
/// They are lines of JSON in a file that is not served, one for each different response, in the order of the fixtures. A response belongs to
/// the recording of its time: when the fixture is recorded again, the response does not count any more, and goes when another is learnt.
package struct FixtureHistory: Sendable {
    /// The file, in the fixture directory.
    package static let name = ".history.jsonl"
    /// Different responses of a fixture that showed nothing new. 16.
    private static let sampleLimit = 16
    /// Different responses of a fixture, those among them that did. 32.
    private static let teachingLimit = 32
    /// How often a response that came again is counted. 8.
    private static let timesLimit = 8
    /// Bytes of a body; of a longer one the line alone is kept. 16 KiB.
    private static let bodyLimit = 16 * 1024
    /// Items of a list. 8.
    private static let itemLimit = 8
    /// Bytes of the file. 4 MiB.
    private static let fileLimit = 4 * 1024 * 1024

    /// A line that cannot be read.
    package struct Failure: Error, Sendable {
        package let line: Int
        package let text: String
    }

    /// The key that distinguishes the fixtures: the file, and a hash of the recorded responses.
    private struct Key: Hashable {
        let path: String
        let recorded: String
    }

    private struct Entry: Sendable {
        /// All of a response but how often it came.
        let node: JSONNode
        var times: Int

        var line: [UInt8] {
            var members = node.object?.members ?? []
            members.insert(.init(name: "times", value: .integer(times)), at: min(2, members.count))
            return JSONWriter.compact(JSONNode(.object(JSONObject(members)))) + [UInt8(ascii: "\n")]
        }
    }

    private var entries: [Key: [Entry]] = [:]

    package init() {}

    /// Reads the history beside fixtures; empty if the file does not exist.
    package init(root: String) throws(Failure) {
        let text = FileReader.contents("\(root)/\(Self.name)") ?? []
        guard text.count <= Self.fileLimit * 2 else { throw Failure(line: 1, text: "the file is too large") }
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy({ $0 <= 0x20 }) {
            guard let node = try? JSONParser.parse(Array(line)), let path = node["fixture"]?.string,
                let recorded = node["recorded"]?.string, let times = node["times"]?.number?.integer,
                node["status"]?.number?.integer != nil, times > 0
            else { throw Failure(line: index + 1, text: "this is not a response that verify --learn has written") }
            let members = node.object?.members.filter { $0.name != "times" } ?? []
            entries[Key(path: path, recorded: recorded), default: []].append(
                Entry(node: JSONNode(.object(JSONObject(members))), times: min(times, Self.timesLimit)))
        }
    }

    /// The responses of a fixture, each as often as it came.
    func samples(of fixture: VerifiedFixture) -> [ResponseSample] {
        guard !entries.isEmpty, let known = entries[Self.key(of: fixture)] else { return [] }
        var samples: [ResponseSample] = []
        for entry in known {
            guard let status = entry.node["status"]?.number?.integer else { continue }
            let headers = (entry.node["headers"]?.array ?? []).compactMap(\.string).map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (name: String(line[..<colon]), value: String(line[colon...].drop { $0 == ":" || $0 == " " }))
            }
            var sample = ResponseSample(
                status: status, headers: headers, body: entry.node["body"].map(JSONWriter.compact) ?? [])
            sample.isWithoutBody = sample.body.isEmpty
            for _ in 0..<entry.times {
                sample.index = ResponseSample.firstLearnt + samples.count
                samples.append(sample)
            }
        }
        return samples
    }

    /// Takes a response.
    ///
    /// - Parameters:
    ///   - teaches: whether it has shown anything that was not known.
    ///   - redactor: takes secrets out, as it does for a recording.
    mutating func learn(
        _ response: ResponseSample, of fixture: VerifiedFixture, teaches: Bool, _ redactor: Redactor
    ) {
        let key = Self.key(of: fixture)
        let node = Self.node(of: response, key, redactor)
        var known = entries[key] ?? []
        if let index = known.firstIndex(where: { $0.node == node }) {
            known[index].times = min(known[index].times + 1, Self.timesLimit)
        } else if known.count < (teaches ? Self.teachingLimit : Self.sampleLimit) {
            known.append(Entry(node: node, times: 1))
        }
        entries[key] = known
    }

    /// The file, in the order of some fixtures; samples of other fixtures are left out.
    package func bytes(of fixtures: [VerifiedFixture]) -> [UInt8] {
        var output: [UInt8] = []
        for key in Set(fixtures.map(Self.key)).sorted(by: { ($0.path, $0.recorded) < ($1.path, $1.recorded) }) {
            for entry in entries[key] ?? [] {
                let line = entry.line
                guard output.count + line.count <= Self.fileLimit else { return output }
                output += line
            }
        }
        return output
    }

    private static func node(of response: ResponseSample, _ key: Key, _ redactor: Redactor) -> JSONNode {
        let lines = response.headers.filter { ResponseSample.isLasting($0.name) }.map { line in
            // A service may send back its input: values that are known to be secret are so in every line.
            let value = Array(redactor.header(line.name, line.value).value.utf8)
            let safe = redactor.text(value, mediaType: "text/plain", of: .response).value
            return JSONNode.string("\(line.name): \(String(decoding: safe, as: UTF8.self))")
        }
        var members: [JSONObject.Member] = [
            .init(name: "fixture", value: .string(key.path)), .init(name: "recorded", value: .string(key.recorded)),
            .init(name: "status", value: .integer(response.status)), .init(name: "headers", value: .array(lines)),
        ]
        let type = response.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        if MediaType.isJSON(MediaType.essence(of: type)), !response.body.isEmpty {
            let safe = redactor.text(response.body, mediaType: type, of: .response).value
            if let body = (try? JSONParser.parse(safe)).map(shortened),
                JSONWriter.compact(body, enough: bodyLimit).count <= bodyLimit
            {
                members.append(.init(name: "body", value: body))
            }
        }
        return JSONNode(.object(JSONObject(members)))
    }

    /// A value whose lists have no more items than are kept.
    private static func shortened(_ node: JSONNode) -> JSONNode {
        switch node.value {
        case .array(let elements): .array(elements.prefix(itemLimit).map(shortened))
        case .object(let object):
            JSONNode(
                .object(JSONObject(object.members.map { .init(name: $0.name, value: shortened($0.value)) })))
        default: node
        }
    }

    private static func key(of fixture: VerifiedFixture) -> Key {
        // It distinguishes the recording from other responses, and no more.
        var hash = FNVHash()
        for sample in fixture.samples {
            hash.combine("\(sample.status) ".utf8)
            hash.combine(sample.body)
        }
        return Key(path: fixture.path, recorded: hash.value.hexadecimal)
    }
}
