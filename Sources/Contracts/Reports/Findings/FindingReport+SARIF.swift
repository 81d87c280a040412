// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

extension FindingReport {
    /// How many results a run has, which is as many as GitHub takes. 25,000.
    private static let resultLimit = 25_000

    /// SARIF 2.1.0 (OASIS), as code scanning and editors read it.
    func sarif(in workspace: Workspace) -> JSONNode {
        var run: [JSONObject.Member] = [
            .init(
                name: "tool",
                value: .object([
                    "driver": .object([
                        "name": .string("mockapi"), "version": .string(version), "rules": .array(Self.rules),
                    ])
                ])),
            .init(name: "columnKind", value: .string("unicodeCodePoints")),
            .init(name: "results", value: .array(results(in: workspace))),
        ]
        if findings.count > Self.resultLimit {
            let text = "\(findings.count - Self.resultLimit) findings beyond the first \(Self.resultLimit) are left out"
            let notification = JSONNode.object([
                "level": .string("warning"), "message": .object(["text": .string(text)]),
            ])
            run.append(
                .init(
                    name: "invocations",
                    value: .array([
                        .object([
                            "executionSuccessful": .bool(true), "toolExecutionNotifications": .array([notification]),
                        ])
                    ])))
        }
        return .object([
            "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"), "version": .string("2.1.0"),
            "runs": .array([JSONNode(.object(JSONObject(run)))]),
        ])
    }

    private static var rules: [JSONNode] {
        Finding.Kind.allCases.map { kind in
            .object(["id": .string(kind.rawValue), "shortDescription": .object(["text": .string(description(kind))])])
        }
    }

    private static func description(_ kind: Finding.Kind) -> String {
        switch kind {
        case .fixture: "A mistake in a fixture, or in the relation of fixtures to each other."
        case .secret: "A value that looks like a secret in a file of the fixtures."
        case .recording:
            "The remains of an interrupted recording, and recordings that are too old or have a date that has passed."
        }
    }

    private func results(in workspace: Workspace) -> [JSONNode] {
        zip(findings, characterColumns).prefix(Self.resultLimit).map { finding, column in
            var location: [JSONObject.Member] = [
                .init(
                    name: "physicalLocation",
                    value: .object([
                        "artifactLocation": .object(["uri": .string(Self.uri(workspace.path(finding.place.path)))]),
                        // A whole file is shown at its beginning: some tools refuse a result without a line.
                        "region": finding.place.line > 0
                            ? .object(["startLine": .integer(finding.place.line), "startColumn": .integer(column)])
                            : .object(["startLine": .integer(1)]),
                    ]))
            ]
            if !finding.place.pointer.isEmpty {
                let logical = JSONNode.object(["fullyQualifiedName": .string(finding.place.pointer)])
                location.append(.init(name: "logicalLocations", value: .array([logical])))
            }
            return .object([
                "ruleId": .string(finding.kind.rawValue), "level": .string(finding.severity.rawValue),
                "message": .object(["text": .string(finding.text)]),
                "locations": .array([JSONNode(.object(JSONObject(location)))]),
            ])
        }
    }

    /// A path as a reference (RFC 3986 §4.1): relative, or of the scheme `file`.
    private static func uri(_ path: String) -> String {
        var uri = path.hasPrefix("/") ? "file://" : ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                uri += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return uri
    }
}
