// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// A value of the model as a text, by which two are compared: all that it holds, but for the places where it was written.
func modelText(_ value: Any) -> String {
    switch value {
    case is Place: return "(a place)"
    case let node as JSONNode: return String(decoding: JSONWriter.compact(node), as: UTF8.self)
    case let number as JSONNumber: return number.literal
    case let text as String: return text.debugDescription
    default:
        let mirror = Mirror(reflecting: value)
        if mirror.children.isEmpty { return "\(type(of: value)).\(value)" }
        let parts = mirror.children.map { "\($0.label ?? ""): \(modelText($0.value))" }
        return "\(type(of: value))(\(parts.joined(separator: ", ")))"
    }
}

/// The leaves of a model, each with its place; values that are missing are left out.
func modelLeaves(_ value: Any, at place: String = "") -> [(place: String, text: String)] {
    switch value {
    case is Place, is JSONNode, is JSONNumber, is String: return [(place, modelText(value))]
    default: break
    }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
        return mirror.children.flatMap { modelLeaves($0.value, at: place) }
    }
    if mirror.children.isEmpty { return [(place, "\(value)")] }
    let leaves = mirror.children.enumerated().flatMap { index, child in
        let name = child.label.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 } ?? "\(index)"
        return modelLeaves(child.value, at: place.isEmpty ? name : "\(place).\(name)")
    }
    // A case whose values are all missing is a leaf.
    guard leaves.isEmpty, mirror.displayStyle == .enum, let label = mirror.children.first?.label else { return leaves }
    return [(place, label)]
}
