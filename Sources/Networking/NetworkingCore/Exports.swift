// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// Publishers come from Combine, or from OpenCombine if there is none; URLRequest and URLError from FoundationNetworking if
// Foundation does not have them. Code that imports this library gets them with it, and call sites read the same on every platform.
#if canImport(Combine)
    @_exported public import Combine
#elseif canImport(OpenCombineShim)
    @_exported public import OpenCombineShim
#else
    #error("NetworkingKit needs OpenCombine here: add the trait Publishers to the package's dependency on mockapi")
#endif

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
