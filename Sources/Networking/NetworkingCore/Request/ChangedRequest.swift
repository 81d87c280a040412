// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation

/// A request like another, but for how it is made.
package struct ChangedRequest<Original: Request>: Request {
    package let original: Original
    package let url: URL
    package let make: @Sendable () throws -> URLRequest

    package init(original: Original, url: URL, make: @escaping @Sendable () throws -> URLRequest) {
        self.original = original
        self.url = url
        self.make = make
    }

    package var method: HTTPMethod { original.method }

    package func decode(_ data: Data) throws -> Original.Output { try original.decode(data) }

    package func output(of response: DataResponse) throws -> Original.Output { try original.output(of: response) }

    package func bodyContent() throws -> BodyContent { try original.bodyContent() }

    package func urlRequest() throws -> URLRequest { try make() }
}
