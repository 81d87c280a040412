// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// A target of one test, whatever it asks for.
struct AnyTarget: TargetType {
    var baseURL: URL
    var path = "things"
    var method = HTTPMethod.get
    var task = Endpoint.Task.requestPlain
    var validationType = ValidationType.none
    var headers: [String: String]?
    var sample = Data()

    var sampleData: Data { sample }
}

extension AnyTarget {
    /// A target for tests that send nothing.
    static let unsent = AnyTarget(baseURL: URL(fileURLWithPath: "/"), path: "")
        .at("http://api.example.com")

    func at(_ url: String) -> AnyTarget {
        var target = self
        target.baseURL = URL(string: url) ?? target.baseURL
        return target
    }
}
