// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiJSONText
import MockapiMetering

/// A resource at a path below `/__admin`: the actions of its methods.
struct AdminResource {
    /// The content of the response, ready at once or when the report is made.
    enum Content {
        case node(JSONNode)
        /// - isLong: whether making it takes too long for an event loop.
        case report(isLong: Bool, @Sendable () -> AdminReports.Content)
        /// A report that tests make, which may take long, and which may fail; it ends if nobody waits for it any more.
        case search(@Sendable (WorkStop) throws(AdminError) -> AdminReports.Content)
        /// Work beside the loops that waits for others.
        case work(@Sendable () async -> Response)

        /// A report that may fail; the response is then the error.
        static func attempt(
            isLong: Bool, _ make: @escaping @Sendable () throws(AdminError) -> AdminReports.Content
        ) -> Content {
            .report(isLong: isLong) { AdminReports.Content(make) }
        }
    }

    typealias Action = (_ query: AdminQuery) throws(AdminError) -> Content

    /// The action of each method; other methods are not allowed. HEAD is left out, since it is GET without content.
    let actions: [String: Action]

    init(
        get: Action? = nil, post: Action? = nil, put: Action? = nil, patch: Action? = nil, delete: Action? = nil
    ) {
        var actions: [String: Action] = [:]
        actions["GET"] = get
        actions["POST"] = post
        actions["PUT"] = put
        actions["PATCH"] = patch
        actions["DELETE"] = delete
        self.actions = actions
    }

    static func get(_ respond: @escaping Action) -> AdminResource { AdminResource(get: respond) }

    /// A resource whose response is `{}`.
    static func post(_ action: @escaping () -> Void) -> AdminResource {
        AdminResource(post: { _ in
            action()
            return .node(.object([:]))
        })
    }

    /// A resource whose response depends on the posted content.
    static func post(_ respond: @escaping () throws(AdminError) -> Content) -> AdminResource {
        AdminResource(post: { (_) throws(AdminError) in try respond() })
    }
}
