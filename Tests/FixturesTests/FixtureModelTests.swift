// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiFixtures

/// Small parts of the model, beside lists.
@Suite(.supervised) struct FixtureModelTests {
    /// Ids of stubs are made of it, and stay the same from one release to the next.
    @Test func `a hash is the same in every release`() {
        let hashes: [(count: UInt8, hash: UInt64)] = [
            (0, 0x864B_F3A1_1DA5_0C11), (1, 0xF83D_F5FF_4F5C_F107), (7, 0xB132_A40B_9549_C3FB),
            (8, 0x9811_8CF5_D617_8ED9), (9, 0x9680_B83F_C0EC_D2FC), (16, 0xD14A_30BF_AB5F_E996),
            (17, 0xA5A1_A7FC_6FDF_FFC5),
        ]
        for (count, hash) in hashes { #expect(ContentHash.of(Array(0..<count)) == hash, "\(count)") }
    }

    @Test(arguments: [
        ("a.json", "f", "f/a.json"), ("a.json", "f/", "f/a.json"), ("a.json", "f//", "f/a.json"),
        ("a.json", ".", "a.json"), ("a.json", "./", "a.json"), ("a.json", "/", "/a.json"), ("a.json", "//", "/a.json"),
        ("a.json", "/f", "/f/a.json"), (".", "f/", "f"), ("", "f", "f"), (".", "/", "/"), ("", ".", "."),
        ("..", "f", "f/.."),
    ])
    func `a place is located behind the directory that was given`(path: String, directory: String, located: String) {
        let place = Place(path: path, line: 1, column: 2, pointer: "/a").located(in: directory)
        #expect(place == Place(path: located, line: 1, column: 2, pointer: "/a"))
    }

    @Test(arguments: [
        ("http://a", true), ("HTTPS://A.b-c_d:65535", true), ("http://[::1]", true), ("http://[::1]:1", true),
        ("http://é", true), ("http://a:0", false), ("http://a:65536", false), ("http://a:", false),
        ("http://a:1x", false), ("http://", false), ("http://:1", false), ("http://a/", false), ("http://a b", false),
        ("http://a@b", false), ("ftp://a", false), ("http:/a", false), ("a", false), ("", false),
    ])
    func `an origin is a scheme, a host and a port that exists`(text: String, isOrigin: Bool) {
        #expect(Origin.isOrigin(text) == isOrigin)
    }
}
