// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Foundation

/// The API of an articles service on the command line: an absolute URL of http or https without query and fragment.
struct ServiceURL: ExpressibleByArgument, CustomStringConvertible {
    /// The API that `mockapi serve Fixtures/` serves.
    static let local = "http://127.0.0.1:8080/api"

    let url: URL

    init?(argument: String) {
        guard let components = URLComponents(string: argument),
            ["http", "https"].contains(components.scheme?.lowercased()), components.host?.isEmpty == false,
            components.query == nil, components.fragment == nil, let url = components.url
        else { return nil }
        self.url = url
    }

    var description: String { url.absoluteString }
}
