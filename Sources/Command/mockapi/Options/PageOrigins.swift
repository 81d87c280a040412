// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiFixtures

/// The origins of `--cors-origin`.
enum PageOrigins {
    /// Throws if one of them is not an origin.
    static func check(_ origins: [String]) throws {
        for origin in origins where PageOrigin.parse(origin) == nil {
            throw ValidationError(
                "--cors-origin takes an origin such as https://app.example or capacitor://localhost, without a path, or null; "
                    + "found \(origin)")
        }
    }
}
