// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The way to a value of a JSON text, turned into a JSON pointer (RFC 6901) when a finding needs it.
indirect enum Pointer {
    case root
    case member(String, of: Pointer)
    case element(Int, of: Pointer)

    var text: String {
        switch self {
        case .root: ""
        case .member(let name, let parent): "\(parent.text)/\(Self.escaped(name))"
        case .element(let position, let parent): "\(parent.text)/\(position)"
        }
    }

    /// `~` and `/` as `~0` and `~1`.
    private static func escaped(_ name: String) -> String {
        if !name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) { return name }
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
