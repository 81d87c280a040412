// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

@_exported public import NetworkingKit
