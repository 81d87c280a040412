// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// The whole of the client library: what asks and sends, and the two families of requests on it. Who needs less imports one of these.
@_exported public import NetworkingClient
@_exported public import NetworkingCore
@_exported public import NetworkingTargets
