// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiJSONText
import MockapiMetering
import MockapiTestSupport
import Testing

/// The examples of RFC 9535's sections, and others of the same kind.
@Suite(.supervised) struct RFC9535Tests {
    static let tables: [String: PathTable] = [
        "§1.5, the bookstore": PathTable(
            document: bookstore,
            lines: #"""
                $.store.book[*].author => ["Nigel Rees", "Evelyn Waugh", "Herman Melville", "J. R. R. Tolkien"]
                $..author => ["Nigel Rees", "Evelyn Waugh", "Herman Melville", "J. R. R. Tolkien"]
                $.store..price => [8.95, 12.99, 8.99, 22.99, 399]
                $..book[2].author => ["Herman Melville"]
                $..book[2].publisher => []
                $..book[-1].title => ["The Lord of the Rings"]
                $..book[0,1].price => [8.95, 12.99]
                $..book[:2].price => [8.95, 12.99]
                $..book[?@.isbn].title => ["Moby Dick", "The Lord of the Rings"]
                $..book[?@.price<10].title => ["Sayings of the Century", "Moby Dick"]
                $.store.bicycle.* => ["red", 399]
                """#),
        "§2.2 and §2.3, selectors": PathTable(
            document:
                #"{"o": {"j j": {"k.k": 3}}, "'": {"@": 2}, "k": "v", "☺": 4, "a": ["a", "b", "c", "d", "e", "f", "g"]}"#,
            lines: #"""
                $.o['j j'] => [{"k.k": 3}]
                $.o['j j']['k.k'] => [3]
                $.o["j j"]["k.k"] => [3]
                $["'"]["@"] => [2]
                $['\'']['@'] => [2]
                $.☺ => [4]
                $['\u263A'] => [4]
                $.o[*] => [{"k.k": 3}]
                $.a[1] => ["b"]
                $.a[-2] => ["f"]
                $.a[7] => []
                $.a[-8] => []
                $.k[0] => []
                $.a.a => []
                $.a[1:3] => ["b", "c"]
                $.a[5:] => ["f", "g"]
                $.a[1:5:2] => ["b", "d"]
                $.a[5:1:-2] => ["f", "d"]
                $.a[::-1] => ["g", "f", "e", "d", "c", "b", "a"]
                $.a[0:3:0] => []
                $.a[-2:] => ["f", "g"]
                $.a[:-5] => ["a", "b"]
                $.a[-9007199254740991:9007199254740991:9007199254740991] => ["a"]
                $.a[9007199254740991:-9007199254740991:-9007199254740991] => ["g"]
                $.a[ 1 : 3 ] => ["b", "c"]
                $.a [0, 3] => ["a", "d"]
                $.a[0:2, 5] => ["a", "b", "f"]
                $.a[0, 0] => ["a", "a"]
                $['k', 'k'] => ["v", "v"]
                """#),
        "§2.3.5, filters": PathTable(
            document: #"""
                {"a": [3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}],
                 "o": {"p": 1, "q": 2, "r": 3, "s": 5, "t": {"u": 6}}, "e": "f"}
                """#,
            lines: #"""
                $.a[?@.b == 'kilo'] => [{"b": "kilo"}]
                $.a[?(@.b == 'kilo')] => [{"b": "kilo"}]
                $.a[?@>3.5] => [5, 4, 6]
                $.a[?@.b] => [{"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}]
                $[?@.*] => [[3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}], {"p": 1, "q": 2, "r": 3, "s": 5, "t": {"u": 6}}]
                $[?@[?@.b]] => [[3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}]]
                $.o[?@<3, ?@<3] => [1, 2, 1, 2]
                $.a[?@<2 || @.b == "k"] => [1, {"b": "k"}]
                $.a[?match(@.b, "[jk]")] => [{"b": "j"}, {"b": "k"}]
                $.a[?search(@.b, "[jk]")] => [{"b": "j"}, {"b": "k"}, {"b": "kilo"}]
                $.o[?@>1 && @<4] => [2, 3]
                $.o[?@.u || @.x] => [{"u": 6}]
                $.a[?@.b == $.x] => [3, 5, 1, 2, 4, 6]
                $.a[?@ == @] => [3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}]
                $.a[?!@.b] => [3, 5, 1, 2, 4, 6]
                $.a[?!(@ < 5) && !@.b] => [5, 6]
                $.a[?@.b == $.a[6].b] => [{"b": "j"}]
                """#),
        "§2.3.5.2.2, comparisons": PathTable(
            document: #"{"obj": {"x": "y"}, "arr": [2, 3], "l": [1]}"#,
            lines: #"""
                $.l[?$.absent1 == $.absent2] => [1]
                $.l[?$.absent1 <= $.absent2] => [1]
                $.l[?$.absent == 'g'] => []
                $.l[?$.absent1 != $.absent2] => []
                $.l[?$.absent != 'g'] => [1]
                $.l[?1 <= 2] => [1]
                $.l[?1 > 2] => []
                $.l[?13 == '13'] => []
                $.l[?'a' <= 'b'] => [1]
                $.l[?'a' > 'b'] => []
                $.l[?$.obj == $.arr] => []
                $.l[?$.obj != $.arr] => [1]
                $.l[?$.obj == $.obj] => [1]
                $.l[?$.obj != $.obj] => []
                $.l[?$.arr == $.arr] => [1]
                $.l[?$.obj == 17] => []
                $.l[?$.obj <= $.arr] => []
                $.l[?$.obj < $.arr] => []
                $.l[?$.obj <= $.obj] => [1]
                $.l[?$.arr <= $.arr] => [1]
                $.l[?1 <= $.arr] => []
                $.l[?true <= true] => [1]
                $.l[?true > true] => []
                $.l[?null == null] => [1]
                $.l[?@ == 1.0] => [1]
                $.l[?@ == 10e-1] => [1]
                $.l[?-0 == 0] => [1]
                $.l[?'\u00e9' == 'e\u0301'] => []
                """#),
        "§2.4, functions": PathTable(
            document:
                #"{"v": ["ab", "a\nb", "b☺b", "", [1, 2], {"k": 1}, 7, null], "re": "b.?b", "part": "b", "bad": "(", "d": [{"c": "red"}, {"c": ["red"]}]}"#,
            lines: #"""
                $.v[?length(@) == 2] => ["ab", [1, 2]]
                $.v[?length(@) == 3] => ["a\nb", "b☺b"]
                $.v[?length(@) < 2] => ["", {"k": 1}]
                $.v[?length(@.x) == length(@.y)] => ["ab", "a\nb", "b☺b", "", [1, 2], {"k": 1}, 7, null]
                $.v[?count(@.*) == 2] => [[1, 2]]
                $.v[?match(@, 'a.*')] => ["ab"]
                $.v[?match(@, $.re)] => ["b☺b"]
                $.v[?match(@, $.part)] => []
                $.v[?match(@, $.bad)] => []
                $.v[?search(@, $.v[4])] => []
                $.v[?search(@, $.part)] => ["ab", "a\nb", "b☺b"]
                $.v[?search(@, $.part) && !match(@, $.part)] => ["ab", "a\nb", "b☺b"]
                $.v[?search(@, 'b.b')] => ["b☺b"]
                $.v[?search(@, 'b$')] => ["ab", "a\nb", "b☺b"]
                $.v[?match(@, '\\p{Ll}+')] => ["ab"]
                $.v[?match(@, 'a|ab')] => ["ab"]
                $.v[?match(@, '(')] => []
                $.v[?match(@, 1)] => []
                $.v[?!search(@, '[a-z]')] => ["", [1, 2], {"k": 1}, 7, null]
                $.d[?value(@.c) == 'red'] => [{"c": "red"}]
                $.d[?value(@..*) == 'red'] => [{"c": "red"}]
                """#),
        "§2.5.2, descendants, and §2.6, null": PathTable(
            document: #"{"o": {"j": 1, "k": 2}, "a": [5, 3, [{"j": 4}, {"k": 6}]], "n": [null], "m": [{}]}"#,
            lines: #"""
                $..j => [1, 4]
                $..[0] => [5, {"j": 4}, null, {}]
                $..o => [{"j": 1, "k": 2}]
                $.o..[*, *] => [1, 2, 1, 2]
                $.a..[0, 1] => [5, 3, {"j": 4}, {"k": 6}]
                $.n[0] => [null]
                $.n[0][0] => []
                $.n[*] => [null]
                $.n[?@] => [null]
                $.n[?@==null] => [null]
                $.n[?@.b==null] => []
                $..m[?@==null] => []
                """#),
    ]

    @Test(arguments: tables.keys.sorted())
    func `the examples select what the standard says`(section: String) throws {
        #expect(try Self.tables[section]?.differences() == [])
    }

    static let invalid = """
        $.|$..|$[]|$[0 2]|$.&|$.1|$.['a']|$[01]|$[-0]|$[9007199254740992]|$[1:2:9007199254740992]|$[?@.a==1.]|$[?@.a==.1]|$[?@.a==01]
        |$[?true]|$[?'a']|$[?@.a=1]|$[?@.a&@.b]|$[?@.a and @.b]|$[?(@.a]|$[?length(@.*)<3]|$[?count(1)>2]|$[?match(@.a,'a')==true]
        |$[?count(@.a)]|$[?foo(@)]|$[?Length(@)==1]|$['\\uD800']|$['\\uDC00']|$['\\uD800\\u1234']|$["\\'"]|$['\\"']|$['\\a']|$['\\u12']
        |$[?@.*==1]|$[?(@.*==1)]|$[?@['a','b']==1]|$[?@..a==1]|$[?$[0:0]==1]|$[?@[0,0]==1]|$[?@.a==[1]]|$[?!@.a==1]|$[?@.a==1==2]
        |$[?count (@.*)==1]|$[?@.a!]|$[?1==1 &&]|$[?@.a,]|$[,1]|$.a b|$[?value(value(@..a))==1]|$[?count(length(@))==1]|$["a|$$|$a|$.a.
        |$[?@.a==True]|$[?@.a==nul]|$[1:2:3:4]|$[1:x]|$...a|$..[|$.*a|$[*|$[**]|$[?@.a==+1]|$[?@.a==1e]|$[?@.a==-]|$[?((@.a)==1)]
        |$[?@.a==(1)]|$[?match(@.a)]|$[?match(@.a,'a','b')]|$[?length()==1]|$[?search(@.*,'a')]| $|$ |a|@.a|$[?@.a in ['b']]|$.a.length()
        """

    @Test func `what the grammar does not have is refused`() {
        let paths = Self.invalid.replacing("\n", with: "").split(separator: "|", omittingEmptySubsequences: false)
        let accepted = paths.filter { (try? JSONPath(parsing: String($0), dialect: .rfc9535)) != nil }
        #expect(accepted == [])
        // Jayway's dialect knows more, but no other text of these.
        let further = paths.filter { (try? JSONPath(parsing: String($0))) != nil }
        #expect(further == ["$.1", "$.['a']", " $", "$ ", "a", "@.a", "$[?@.a in ['b']]", "$.a.length()"])
    }

    @Test func `normalized paths are written as §2_7 says`() throws {
        let root = try JSONParser.parse(#"{"a": [1, {"b\n'\\\u000b☺": 2}]}"#)
        var allowance = Allowance(steps: JSONPathLimits.steps)
        let found = try JSONPath(parsing: "$..*").located(in: root, allowance: &allowance)
        #expect(
            found.map(\.location.normalizedPath)
                == ["$['a']", "$['a'][0]", "$['a'][1]", #"$['a'][1]['b\n\'\\\u000b☺']"#])
        let last = try JSONPath(parsing: "$.a[-1]").located(in: root, allowance: &allowance)
        #expect(last.map(\.location.normalizedPath) == ["$['a'][1]"])
    }

    @Test(arguments: [
        ("$.a[?@]", true), ("$.a['b','c']", true), ("$.a.b[0:1]", true), ("$.a.b[0,1]", true), ("$.a.c[?@]", false),
        ("$.a.c[0,1]", false), ("$.a.c[0:1]", false), ("$.a.c.*", true), ("$.a.c..d", true), ("$.a.d[?@]", false),
        ("$.a.d.*", false), ("$.a.d..e", false), ("$.a.c", true), ("$.a.d", false), ("$.a.b[2][?@]", false),
        ("$.a.b[1][?@]", true), ("$..x", true), ("$[?@]", true),
    ])
    func `a path has a start where its names and indices lead to a value with members, or it asks for all`(
        path: String, hasStart: Bool
    ) throws {
        let root = try JSONParser.parse(#"{"a": {"b": [1, {}], "c": 1}}"#)
        var allowance = Allowance(steps: JSONPathLimits.steps)
        #expect(try JSONPath(parsing: path, dialect: .rfc9535).hasStart(in: root, allowance: &allowance) == hasStart)
    }

    @Test func `of a repeated name the last value counts`() throws {
        let root = try JSONParser.parse(#"{"a": 1, "b": 2, "a": 3}"#)
        var allowance = Allowance(steps: JSONPathLimits.steps)
        #expect(try JSONPath(parsing: "$.a").nodes(in: root, allowance: &allowance) == [.integer(3)])
        #expect(try JSONPath(parsing: "$.*").nodes(in: root, allowance: &allowance) == [.integer(2), .integer(3)])
    }
}
