// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// A test that uses the trait uses the server too.
@_exported public import MockServer
