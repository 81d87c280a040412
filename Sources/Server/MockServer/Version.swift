// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The version of this software.
package let mockapiVersion = "0.1.0"
