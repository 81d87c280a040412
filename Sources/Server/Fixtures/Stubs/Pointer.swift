// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The way to a value of a JSON text, turned into a JSON pointer (RFC 6901) when a finding needs it.
indirect enum Pointer {
    case root
    case member(String, of: Pointer)
    case element(Int, of: Pointer)

    var text: String {
        switch self {
        case .root: ""
        case .member(let name, let parent): JSONPointer.appending(name, to: parent.text)
        case .element(let position, let parent): "\(parent.text)/\(position)"
        }
    }
}
