// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiJSONText
import MockapiMetering
import MockapiTestSupport
import Testing

/// What WireMock's users write: Jayway's dialect, and WireMock's reading of the results.
@Suite(.supervised) struct JaywayTests {
    static let tables: [String: PathTable] = [
        "the bookstore": PathTable(
            document: bookstore,
            lines: #"""
                $.store.book[*].author => ["Nigel Rees", "Evelyn Waugh", "Herman Melville", "J. R. R. Tolkien"]
                $.store.book[?(@.price < 10)].title => ["Sayings of the Century", "Moby Dick"]
                $..book[?(@.isbn)].price => [8.99, 22.99]
                $..book[?(!@.isbn)].price => [8.95, 12.99]
                $..book[?(@.price <= $.store.book[0].price)].title => ["Sayings of the Century"]
                $..book[?(@.author =~ /.*REES/i)].title => ["Sayings of the Century"]
                $..book[?(@.author =~ /REES/i)].title => []
                $..book[?(@.category == 'fiction' && @.price < 10 || @.price == 8.95)].price => [8.95, 8.99]
                $..book[?(@.category in ['reference', 'poetry'])].price => [8.95]
                $..book[?(@.category nin ['reference', 'poetry'])].price => [12.99, 8.99, 22.99]
                $..book[?('fiction' == @['category'])].price => [12.99, 8.99, 22.99]
                $..book.length() => [4]
                $.store.book.length() => [4]
                $.store.book.size() => [4]
                $.store.bicycle.keys() => [["color", "price"]]
                $.store.book[*].price.max() => [22.99]
                $..price.min() => [8.95]
                """#,
            dialect: .jayway),
        "names and paths": PathTable(
            document: #"{"a": {"b-c": 1, "@type": "t", "$id": 2, "1": 3, "x:y": 4}, "l": [{"a": 1}, {"a": 2}]}"#,
            lines: #"""
                a.b-c => [1]
                $.a.@type => ["t"]
                $.a.$id => [2]
                $.a.1 => [3]
                $.a.x:y => [4]
                $.['a']['b-c'] => [1]
                $['a']['b-c','1'] => [1, 3]
                @.a.1 => [3]
                l[1].a => [2]
                l[-1:].a => [2]
                 $.l[*].a  => [1, 2]
                """#,
            dialect: .jayway),
        "filters in parentheses": PathTable(
            document: #"""
                {"type": "A", "n": 1, "s": "1", "u": [[1], null], "empty": [], "none": null, "things": [{"id": 1, "tags": ["x", "y"]}, {"id": "2", "tags": []}]}
                """#,
            lines: #"""
                $[?(@.type == 'A')].n => [1]
                $[?(@.type == 'B')].n => []
                $[?(@.things.size() == 2)].n => [1]
                $[?(@.things.length() > 2)].n => []
                $[?(@.n == '1' && @.s == 1)].n => [1]
                $[?(@.n === '1')].n => []
                $[?(@.n !== '1')].n => [1]
                $[?(@.x == @.y)].n => []
                $[?(@.x === '1')].n => []
                $[?(@.x === @.y)].n => []
                $[?(@.x !== '1')].n => [1]
                $[?(@.n === 1.0)].n => [1]
                $[?(@.n !== 1)].n => []
                $[?(@.x in [1])].n => []
                $[?(@.x nin [1])].n => [1]
                $[?([1] contains @.x)].n => []
                $.things[?(@.tags =~ /x/)].id => [1]
                $.things[?(@.tags =~ /z/)].id => []
                $[?(@.things =~ /.*/)].n => []
                $[?(@.u =~ /.*/)].n => []
                $[?(/A/ =~ @.type)].n => [1]
                $[?(@.none == null)].n => [1]
                $[?(@.none)].n => [1]
                $.things[?(@.tags contains 'x')].id => [1]
                $.things[?(@.tags size 0)].id => ["2"]
                $.things[?(@.tags empty true)].id => ["2"]
                $.things[?(@.tags empty false)].id => [1]
                $.things[?(@.tags subsetof ['y', 'x', 'z'])].id => [1, "2"]
                $.things[?(@.tags anyof ['y', 'z'])].id => [1]
                $.things[?(@.tags noneof ['y', 'z'])].id => ["2"]
                $.things[?(@.tags all ['x', 'y'])].id => [1]
                $.things[?(@.tags == ['x', "y"])].id => [1]
                $.things[?(@.tags[*] == ['x', 'y'])].id => [1]
                $.things[?(@.id IN [1, 2])].id => [1, "2"]
                $.things[?(@.id =~ /\d+/)].id => [1, "2"]
                $.things[?(@.none =~ /(x)?/)].id => [1, "2"]
                $.things[?(@.none =~ /x/)].id => []
                $.things[?(@.tags[?(@ == 'y')])].id => [1]
                $..[?(@.id == 1)].tags => [["x", "y"]]
                $[?(@.type =~ /[\/a]/i)].n => [1]
                $[?(@.type == 'it\'s' || @.type == "A")].n => [1]
                """#,
            dialect: .jayway),
        "delimiters and objects in filters": PathTable(
            document: #"""
                {"s": "a)]/b", "q": "it's \"(", "n": 1, "o": {"a": 1, "b": [2]}, "e": {}, "l": [], "w": {"n": {"n": 1}}}
                """#,
            lines: #"""
                $[?(@.s =~ /a\)\]\/b/)].n => [1]
                $[?(@.s =~   /.*\)]\/b/ )].n => [1]
                $[?(@.s == 'a)]/b')].n => [1]
                $[?(@.s != '')].n => [1]
                $[?("" != @.s)].n => [1]
                $[?(@.s == "a)]\/b" )].n => [1]
                $[?(@.q == 'it\'s "(')].n => [1]
                $[?(@.o == {'a': 1, "b": [2]})].n => [1]
                $[?(@.o == { "b" :[ 2 ] , 'a':1.0 })].n => [1]
                $[?(@.o == {"a": 1})].n => []
                $[?(@.e == {})].n => [1]
                $[?(@.e == { })].n => [1]
                $[?(@.l == [ ])].n => [1]
                $[?(@.n in [ ])].n => []
                $[?(@.n in [2,null,true,false,1])].n => [1]
                $[?(@.n == 1), ?(@.n == 1) ].n => [1, 1]
                $.w[?(@.n == 1) && (@.n < 2)] => [{"n": 1}]
                $.w[?((@.n == 1) && (@.n < 2))] => []
                $.w[?(@.n.n == 1 && (@.n))].n => [{"n": 1}]
                """#,
            dialect: .jayway),
        "functions": PathTable(
            document:
                #"{"n": [1, 2, 3, "x", 6], "e": [], "o": {"a": 1, "b": 2}, "s": "abc", "w": ["p", "q"], "l": [[1, 2], [3]], "i": [[1, 2]]}"#,
            lines: #"""
                $.n.length() => [5]
                $.o.length() => [2]
                $.s.length() => []
                $.e.size() => [0]
                $.x.length() => []
                $.n.sum() => [12]
                $.n.avg() => [3]
                $.n.min() => [1]
                $.n.max() => [6]
                $.l[0].stddev() => [0.5]
                $.e.sum() => []
                $.o.a.sum() => []
                $.n[0].max() => []
                $.o['a','b'].sum() => [3]
                $.o.*.sum() => [3]
                $.l[0,1].sum() => [3, 3]
                $.l[0:1].sum() => [3]
                $.i[*].sum().sum() => []
                $.l[*].sum().sum() => [6]
                $.sum($.n, 8) => [20]
                $.length($.n) => [5]
                $.n.first() => [1]
                $.n.last() => [6]
                $.n.index(0) => [1]
                $.n.index(1) => [2]
                $.n.index(-5) => [1]
                $.n.index(-6) => []
                $.n.index(-2) => ["x"]
                $.n.index(9) => []
                $.w.concat() => ["pq"]
                $.w.concat("-", $.s) => ["pq-abc"]
                $.w.append("r") => [["p", "q", "r"]]
                $.l[*].length() => [2, 1]
                $.l[*].sum() => [3, 3]
                $.o.keys().length() => [2]
                """#,
            dialect: .jayway),
    ]

    @Test(arguments: tables.keys.sorted())
    func `paths select what Jayway selects`(subject: String) throws {
        #expect(try Self.tables[subject]?.differences() == [])
    }

    @Test(arguments: [
        ("$.a", "definite"), ("$.a[0]", "definite"), ("$['a','b']", "definite"), ("$.a.length()", "definite"),
        ("$..a.length()", "definite"), ("$.a[*]", "list"), ("$..a", "list"), ("$[?(@.a)]", "list"),
        ("$.a[0,1]", "list"),
        ("$.a[1:]", "list"), ("$.a[*].sum()", "list"),
    ])
    func `a path is definite where it gives a value`(path: String, kind: String) throws {
        #expect(try JSONPath(parsing: path).isDefinite == (kind == "definite"))
    }

    @Test(arguments: [
        ("$.none", false), ("$.list", false), ("$.object", false), ("$.missing", false), ("$.object.x", false),
        ("$..missing", false), ("$[?(@.missing)]", false), ("$.no", true), ("$.zero", true), ("$.text", true),
        ("$.full", true), ("$..none", true), ("$[?(@.none == null)]", true), ("$['zero','x']", true),
        ("$['x','y']", false),
        ("$.list.length()", true), ("$.text.length()", false),
    ])
    func `presence is not null and not empty`(path: String, isPresent: Bool) throws {
        let text = #"{"none": null, "list": [], "object": {}, "no": false, "zero": 0, "text": "", "full": [null]}"#
        var allowance = Allowance(steps: JSONPathLimits.steps)
        let result = try JSONPath(parsing: path).result(in: try JSONParser.parse(text), allowance: &allowance)
        #expect(result.isPresent == isPresent)
    }

    @Test(
        arguments: [
            ("$.s", ["a"]), ("$.n", ["1.50"]), ("$.b", ["true"]), ("$.z", [nil]), ("$.x", []), ("$.o", [#"{"k":[1]}"#]),
            ("$.l", ["p", "2", nil, #"{"q":"r"}"#, "[3]"]), ("$..k", ["[1]"]), ("$['s','b']", [#"{"s":"a","b":true}"#]),
        ] as [(String, [String?])])
    func `nested matchers are asked about texts`(path: String, texts: [String?]) throws {
        let text =
            #"{"s": "a", "n": 1.50, "b": true, "z": null, "o": {"k": [1]}, "l": ["p", 2, null, {"q": "r"}, [3]]}"#
        var allowance = Allowance(steps: JSONPathLimits.steps)
        let result = try JSONPath(parsing: path).result(in: try JSONParser.parse(text), allowance: &allowance)
        #expect(result.texts == texts)
    }

    @Test(arguments: [
        ("", 0, "the path is empty; $ selects the whole document"),
        ("$.a[", 4, "expected a name in quotes, an index, a slice, '*' or '?', found the end of the path"),
        ("$..book[(@.length-1)]", 8, "scripts such as (@.length-1) are not supported; write [-1]"),
        (
            "$.a.foo()", 4,
            "there is no function foo(); there are length, size, min, max, avg, sum, stddev, keys, concat, append, first, last, index"
        ),
        ("$.a.first().b", 11, "nothing but another function can follow a function"),
        ("$[?(@.a = 1)]", 8, "'=' is not an operator; write =="),
        ("$[?(@.a =~ 'x')]", 8, "=~ takes a pattern such as /a.*/i on one side"),
        ("$[?(@.a =~ /(/)]", 11, "the pattern is broken, or a flag is none of dimsuxU"),
        ("$.a.first()[0]", 11, "nothing but another function can follow a function"),
        ("$[?@.a & @.b]", 7, "expected &&"), ("$[?@.a |]", 7, "expected ||"),
        ("$.a b", 3, "expected '.' or '[', found ' '"), ("$[?(@.a == 'x)]", 11, "a string that does not end"),
        ("$[?(@.a == x)]", 11, "expected a query, a literal or a function, found 'x'"),
        ("$.a[]", 3, "empty brackets; [*] selects everything"),
        ("$[?(@.*.b == 1)]", 4, "a query that may select several values cannot be compared"),
    ])
    func `a broken path is named with its place`(path: String, offset: Int, message: String) {
        #expect(throws: JSONPathError(offset: offset, message: message)) { try JSONPath(parsing: path) }
    }
}
