// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// A test case with a server uses the server too.
@_exported public import MockServer
