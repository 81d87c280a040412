// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// A step of a stub: a response, and how it is written.
///
/// It is a class, so that a sequence with one step more costs no copy of those before it.
final class RecordedStep: Sendable {
    let response: RecordedResponse
    let node: JSONNode

    private init(_ response: RecordedResponse, _ node: JSONNode) {
        self.response = response
        self.node = node
    }

    /// A step as it is written.
    ///
    /// - Parameter folder: the absolute path of the stub file's folder.
    convenience init(_ node: JSONNode, folder: String) {
        self.init(ResponseNode.response(from: node, folder: folder), node)
    }

    /// A step that is to be written, whose body is not in its place yet.
    ///
    /// - Parameters:
    ///   - old: the node that it replaces; the user's additions to it stay.
    ///   - folder: the absolute path of the stub file's folder.
    convenience init(_ response: RecordedResponse, keeping old: JSONNode? = nil, folder: String) {
        let node = ResponseNode.node(response, keeping: old)
        var read = ResponseNode.response(from: node, folder: folder)
        if read.bodyFile != nil { read.body = response.body }
        self.init(read, node)
    }

    /// The step once its body is in its place.
    func written(in folder: String) -> RecordedStep {
        guard let name = response.bodyFile else { return self }
        let place = "\(folder)/\(name)"
        if case .file(place, _) = response.body { return self }
        var response = response
        response.body = .file(path: place, size: response.body.count)
        return RecordedStep(response, node)
    }
}
