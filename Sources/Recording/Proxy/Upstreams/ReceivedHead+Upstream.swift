// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiHTTPWire
package import MockapiUpstream

// A head has the form of this module's when it comes by libcurl, and that of an exchange when it is recorded.
extension ReceivedHead {
    package init(_ head: UpstreamHead) {
        self.init()
        switch head.version {
        case .http10: version = .http10
        case .http11: version = .http11
        case .http2: version = .http2
        }
        status = head.status
        setReason(head.reasonBytes)
        for field in head.fields { append(name: field.name.utf8, value: field.bytes) }
    }
}

extension UpstreamHead {
    package init(_ head: ReceivedHead) {
        self.init(
            version: head.version == .http10 ? .http10 : head.version == .http2 ? .http2 : .http11, status: head.status,
            fields: head.fields.map { UpstreamField(head.string($0.name), bytes: Array(head.bytes[$0.value.range])) })
        reasonBytes = Array(head.bytes[head.reason.range])
    }
}
