// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors
// A networker of fixtures is used with requests of the one library and the journal of the other.

@_exported public import MockServer
@_exported public import NetworkingKit
