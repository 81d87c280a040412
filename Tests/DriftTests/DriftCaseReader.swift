// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

@testable import MockapiDrift

/// A case of `DriftCases`.
struct DriftCase: Sendable {
    let name: String
    let comparison: ResponseComparison
    let live: [ResponseSample]
    /// nil for a change that is none.
    let level: DriftLevel?
    let id: String?

    init(_ line: some StringProtocol) throws {
        let node = try JSONParser.parse(String(line))
        name = node["case"]?.string ?? ""
        var comparison = ResponseComparison(recorded: Self.samples(node["recorded"] ?? .null))
        comparison.pins = ContractPins(node["contract"] ?? .null)
        comparison.volatilePaths = (node["volatile"]?.array ?? []).compactMap(\.string)
        self.comparison = comparison
        live = Self.samples(node["live"] ?? .null)
        level = node["level"]?.string.flatMap(DriftLevel.init)
        id = node["id"]?.string
    }

    private static func samples(_ node: JSONNode) -> [ResponseSample] {
        let nodes = node["samples"]?.array ?? [node]
        return nodes.enumerated().map { index, node in
            var sample = sample(node)
            sample.index = index
            return sample
        }
    }

    private static func sample(_ node: JSONNode) -> ResponseSample {
        let isWritten = node["$"] != nil || node["text"] != nil || node["image"] != nil
        guard isWritten else {
            return ResponseSample(
                status: 200, headers: [("Content-Type", "application/json")], body: JSONWriter.compact(node))
        }
        var body: [UInt8] = []
        if let text = node["text"]?.string {
            body = text == "\u{FEFF}U16" ? [0xFF, 0xFE, 0x7B, 0, 0x7D, 0] : Array(text.utf8)
        } else if let image = node["image"]?.string {
            body = Images.bytes(image)
        } else if let value = node["$"] {
            body = JSONWriter.compact(value)
        }
        let lines = (node["h"]?.array ?? []).compactMap(\.string).map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].drop { $0 == ":" || $0 == " " }))
        }
        return ResponseSample(status: node["s"]?.number?.integer ?? 200, headers: lines, body: body)
    }
}

/// Images that are no more than what tells their kind.
private enum Images {
    static func bytes(_ name: String) -> [UInt8] {
        switch name {
        case "png": png(width: 2, colorType: 2)
        case "png-large": png(width: 4, colorType: 2)
        case "png-alpha": png(width: 2, colorType: 6)
        case "gif": gif(frames: 1)
        default: gif(frames: 2)
        }
    }

    private static func png(width: UInt8, colorType: UInt8) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0, width, 0, 0, 0, 2, 8, colorType, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("IDAT".utf8)
    }

    private static func gif(frames: Int) -> [UInt8] {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 1, 0x44, 0]
        return Array("GIF89a".utf8) + [2, 0, 2, 0, 0, 0, 0] + (0..<frames).flatMap { _ in frame } + [0x3B]
    }
}
