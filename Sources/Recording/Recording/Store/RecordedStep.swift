// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// A step of a stub: a response, and how it is written.
struct RecordedStep {
    let response: RecordedResponse
    let node: JSONNode

    /// A step as it is written.
    ///
    /// - Parameter folder: the absolute path of the stub file's folder.
    init(_ node: JSONNode, folder: String) {
        response = ResponseNode.response(from: node, folder: folder)
        self.node = node
    }

    /// A step that is to be written.
    ///
    /// - Parameter old: the node that it replaces; what the user added to that stays.
    init(_ response: RecordedResponse, keeping old: JSONNode? = nil) {
        self.response = response
        node = ResponseNode.node(response, keeping: old)
    }
}
