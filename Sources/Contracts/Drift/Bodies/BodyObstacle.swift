// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiYAMLText

/// Why a recorded body cannot be compared: it does not match its media type.
enum BodyObstacle {
    /// The first line of the pointer to a file of Git LFS, if the file itself was not fetched.
    private static let pointer = Array("version https://git-lfs.github.com/spec/v1".utf8)

    /// Why a body of any kind stands for something else, such as a file that was not fetched; nil if it does not.
    static func ofAny(_ body: [UInt8], _ kind: ComparableBody.Kind) -> String? {
        if body.starts(with: pointer) {
            return "the fixture's own body is a pointer of Git LFS: git lfs pull fetches the file"
        }
        switch kind {
        case .image, .binary, .message: return nil
        default: return isUTF16(body) ? "the fixture's own body is UTF-16, which is not compared" : nil
        }
    }

    /// Why a body cannot be read as its kind.
    static func ofValues(_ body: [UInt8], _ kind: ComparableBody.Kind) -> String {
        switch kind {
        case .json:
            do throws(JSONError) {
                try JSONParser.check(body)
            } catch {
                let (line, column) = place(error.offset, in: body)
                let isText = String(validating: body, as: UTF8.self) != nil
                let reason = isText ? error.message : "its bytes are not UTF-8"
                return "the fixture's own body is not JSON: line \(line), column \(column): \(reason)"
            }
            return "the fixture's own body is not JSON"
        case .jsonLines: return "the fixture's own body has a line that is not JSON"
        case .yaml:
            do throws(JSONError) {
                _ = try YAMLParser.parse(body, isOnly: true)
            } catch {
                let (line, column) = place(error.offset, in: body)
                return "the fixture's own body is not read as YAML: line \(line), column \(column): \(error.message)"
            }
            return "the fixture's own body is not read as YAML"
        case .xml, .svg: return "the fixture's own body is not XML"
        default: return "the fixture's own body cannot be read"
        }
    }

    private static func place(_ offset: Int, in body: [UInt8]) -> (line: Int, column: Int) {
        let before = body.prefix(max(0, offset))
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return (before.count { $0 == 0x0A } + 1, before.count - start + 1)
    }

    /// Whether a body has characters beyond ASCII, and is UTF-8.
    static func isWideUTF8(_ sample: ResponseSample) -> Bool {
        sample.body.contains { $0 >= 0x80 } && String(validating: sample.body, as: UTF8.self) != nil
    }

    static func isUTF16(_ body: [UInt8]) -> Bool {
        guard body.count > 3 else { return false }
        return body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF])
            || body[0] == 0 && body[1] != 0 && body[2] == 0 || body[0] != 0 && body[1] == 0 && body[3] == 0
    }
}

/// The kind that bytes look like, if nothing names it.
enum BodyLook {
    /// A page of HTML, or an error in XML.
    case markup
    case json
    case text
    case bytes

    init(_ body: [UInt8]) {
        let isPlain = !body.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D, 0x0C].contains($0) }
        if isPlain, Self.isMarkup(body) {
            self = .markup
        } else if !isPlain || String(validating: body, as: UTF8.self) == nil {
            self = .bytes
        } else if let first = body.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["), (try? JSONParser.check(body)) != nil
        {
            self = .json
        } else {
            self = .text
        }
    }

    /// Whether a body begins with a tag, whatever encoding the rest is in.
    static func isMarkup(_ body: [UInt8]) -> Bool {
        guard let start = body.firstIndex(where: { $0 > 0x20 && $0 < 0x7F }), body[start] == UInt8(ascii: "<"),
            start + 1 < body.count
        else { return false }
        let next = body[start + 1]
        return (next | 0x20) &- 0x61 < 26 || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
    }
}
