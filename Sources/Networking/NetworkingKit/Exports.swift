// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// The whole of the client library: the base that sends requests, and the two families of requests on it. Code that needs less imports one of these.
@_exported public import NetworkingClient
@_exported public import NetworkingCore
@_exported public import NetworkingTargets
