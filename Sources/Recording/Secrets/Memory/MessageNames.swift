// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The placeholders of one message: different secrets that would get one name stay apart.
struct MessageNames {
    private var values: [String: [UInt8]] = [:]
    private var names: [[UInt8]: String] = [:]
    private var next: [String: Int] = [:]

    /// The placeholder of a value with a proposed name, with `-2` and so on behind it if another has the name.
    mutating func name(_ proposed: String, for value: [UInt8]) -> String {
        if let name = names[value] { return name }
        var name = proposed
        while let other = values[name], other != value {
            let number = next[proposed, default: 2]
            next[proposed] = number + 1
            name = "\(proposed)-\(number)"
        }
        values[name] = value
        names[value] = name
        return name
    }
}
