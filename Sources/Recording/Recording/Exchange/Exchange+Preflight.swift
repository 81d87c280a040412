// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiUpstream

extension Exchange {
    /// The origin of the page that a service refuses by its response to a preflight (Fetch standard, §4.8); nil for any other exchange.
    var refusedPage: String? {
        func value(_ name: String) -> String? { requestFields.first { $0.name.lowercased() == name }?.value }
        guard method == "OPTIONS", let page = value("origin"), value("access-control-request-method") != nil else {
            return nil
        }
        let allowed = head.fields.filter { $0.name.lowercased() == "access-control-allow-origin" }.map(\.value)
        return (200..<300).contains(head.status) && (allowed == ["*"] || allowed == [page]) ? nil : page
    }
}
