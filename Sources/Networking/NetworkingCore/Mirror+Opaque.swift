// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// A failed `#expect(model.isLoading)` shows all that the model holds, however deep, while a request is under way: data that other threads change
// meanwhile, as those of URLSession do, must not be read then, or the process ends. So an object that holds any of it shows nothing of itself.

extension Mirror {
    /// The mirror of an object that shows none of its contents.
    package static func opaque(_ object: some AnyObject) -> Mirror {
        Mirror(object, children: [], displayStyle: .class)
    }
}
