# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
import json, random, re, sys
draw = random.Random(int(sys.argv[1]))
names = ['a', 'b', 'c', 'ab', '', 'é', "q'", 'x"', 'd.e', '0', '\\', '\n', '\u263a', '\U0001f600']
NONE = object()
def value(depth=0):
    kind = draw.randrange(9 if depth < 4 else 5)
    if kind == 0: return draw.choice((0, 1, -1, 1.5, 1.0, 100, 1e2, 12345678901234567890))
    if kind == 1: return draw.choice(('a', 'b', 'ab', '', 'é', '1', 'abc'))
    if kind == 2: return draw.choice((True, False))
    if kind == 3: return None
    if kind < 7: return [value(depth + 1) for _ in range(draw.randrange(6))]
    return {draw.choice(names): value(depth + 1) for _ in range(draw.randrange(5))}
def blank(): return draw.choice(('', '', '', ' ', '\t', ' \n'))
def quoted(text):
    quote, out = draw.choice('\'"'), ''
    for c in text:
        if c in (quote, '\\'): out += '\\' + c
        elif ord(c) < 32: out += {'\n': '\\n', '\t': '\\t'}[c] if draw.random() < .5 else '\\u%04x' % ord(c)
        elif draw.random() < .1: out += ''.join('\\u' + draw.choice(('%04x', '%04X')) % u for u in ([ord(c)] if ord(c) < 65536 else [0xd800 + (ord(c) - 65536 >> 10), 0xdc00 + (ord(c) - 65536 & 1023)]))
        else: out += c
    return quote + out + quote
def selector(depth):
    kind = draw.randrange(11 if depth < 2 else 8)
    if kind < 3: return ('name', draw.choice(names))
    if kind == 3: return ('all',)
    if kind < 6: return ('index', draw.randrange(-5, 6))
    if kind < 8: return ('slice', *[draw.choice((None, draw.randrange(-6, 7))) for _ in range(2)], draw.choice((None, 1, 2, 3, -1, -2, 0)))
    return ('filter', condition(depth + 1))
def segments(depth, most=3):
    return [(draw.random() < .2, [selector(depth) for _ in range(draw.choice((1, 1, 1, 2, 3)))]) for _ in range(draw.randrange(most + 1))]
def single(): return [(False, [draw.choice((('name', draw.choice(names)), ('index', draw.randrange(-3, 4))))]) for _ in range(draw.randrange(3))]
def query(depth, steps): return ('query', draw.random() < .8, steps)
def condition(depth):
    kind = draw.randrange(9 if depth < 4 else 5)
    if kind < 2: return ('exists', query(depth, segments(2, 2)))
    if kind < 5: return ('compare', operand(depth), draw.choice(('==', '!=', '<', '<=', '>', '>=')), operand(depth))
    if kind == 5: return ('test', draw.choice(('match', 'search')), query(depth, single()), draw.choice(('a', 'a.*', '[ab]', 'b$' if False else 'b', '.', '')))
    if kind == 6: return ('not', condition(depth + 1))
    return (draw.choice(('and', 'or')), condition(depth + 1), condition(depth + 1))
def operand(depth):
    kind = draw.randrange(8)
    if kind < 3: return ('literal', draw.choice((0, 1, -1, 1.5, 1e2, 'a', 'ab', '', 'é', True, False, None)))
    if kind < 6: return query(depth, single())
    if kind == 6: return draw.choice((('length', query(depth, single())), ('count', query(depth, segments(2, 2)))))
    return ('value', query(depth, segments(2, 2)))
def index_text(n): return '' if n is None else str(n)
def selector_text(s):
    if s[0] == 'name': return quoted(s[1])
    if s[0] == 'all': return '*'
    if s[0] == 'index': return str(s[1])
    if s[0] == 'slice':
        text = index_text(s[1]) + blank() + ':' + blank() + index_text(s[2])
        return text + (blank() + ':' + index_text(s[3]) if s[3] is not None or draw.random() < .2 else '')
    return '?' + blank() + condition_text(s[1])
def segment_text(descends, selectors, first):
    s = selectors[0]
    if len(selectors) == 1 and draw.random() < .6:
        if s[0] == 'all': return ('..' if descends else '.') + '*'
        if s[0] == 'name' and re.fullmatch('[a-zé\u263a\U0001f600][a-z0-9]*', s[1]): return ('..' if descends else '.') + s[1]
    return ('..' if descends else '') + '[' + blank() + (blank() + ',' + blank()).join(map(selector_text, selectors)) + blank() + ']'
def path_text(q): return ('@' if q[1] else '$') + ''.join(draw.choice(('', '', ' ')) + segment_text(d, s, i == 0) for i, (d, s) in enumerate(q[2]))
def condition_text(c, level=0):
    if c[0] == 'exists': text = path_text(c[1])
    elif c[0] == 'compare': text = operand_text(c[1]) + blank() + c[2] + blank() + operand_text(c[3])
    elif c[0] == 'test': text = f"{c[1]}({blank()}{path_text(c[2])}{blank()},{blank()}{quoted(c[3])})"
    elif c[0] == 'not': text = '!' + blank() + condition_text(c[1], 3)
    else: text = condition_text(c[1], 1 + (c[0] == 'and')) + blank() + {'and': '&&', 'or': '||'}[c[0]] + blank() + condition_text(c[2], 1 + (c[0] == 'and'))
    own = {'or': 1, 'and': 2, 'compare': 2.5, 'not': 2.5}.get(c[0], 4)
    return f'({blank()}{text}{blank()})' if own < level or draw.random() < .1 else text
def operand_text(o):
    if o[0] == 'literal':
        if isinstance(o[1], str): return quoted(o[1])
        return draw.choice(('100', '1e2', '1E+2')) if o[1] == 100 and not isinstance(o[1], bool) else json.dumps(o[1])
    if o[0] == 'query': return path_text(o)
    return f'{o[0]}({blank()}{path_text(o[1])}{blank()})'
def children(v, at):
    if isinstance(v, list): return [(x, at + f'[{i}]') for i, x in enumerate(v)]
    return [(x, at + '[' + normal(k) + ']') for k, x in v.items()] if isinstance(v, dict) else []
def normal(name):
    out = ''
    for c in name: out += {"'": "\\'", '\\': '\\\\', '\n': '\\n', '\t': '\\t'}.get(c, c)
    return "'" + out + "'"
def select(s, v, at, root):
    if s[0] == 'name': return [(x, p) for (x, p), k in zip(children(v, at), v) if k == s[1]] if isinstance(v, dict) else []
    if s[0] == 'all': return children(v, at)
    if s[0] == 'filter': return [(x, p) for x, p in children(v, at) if holds(s[1], x, root)]
    if not isinstance(v, list): return []
    if s[0] == 'index': return [children(v, at)[s[1]]] if -len(v) <= s[1] < len(v) else []
    return children(v, at)[slice(*s[1:])] if s[3] != 0 else []
def below(v, at):
    yield v, at
    for x, p in children(v, at): yield from below(x, p)
def found(steps, v, at, root):
    nodes = [(v, at)]
    for descends, selectors in steps:
        nodes = [n for x, p in nodes for y, q in (below(x, p) if descends else [(x, p)]) for s in selectors for n in select(s, y, q, root)]
    return nodes
def nodes_of(q, current, root): return [x for x, _ in found(q[2], current if q[1] else root, '', root)]
def evaluate(o, current, root):
    if o[0] == 'literal': return o[1]
    if o[0] == 'count': return len(nodes_of(o[1], current, root))
    nodes = nodes_of(o if o[0] == 'query' else o[1], current, root)
    v = nodes[0] if len(nodes) == 1 else NONE
    if o[0] == 'length': return len(v) if isinstance(v, (str, list, dict)) else NONE
    return v
def number(v): return isinstance(v, (int, float)) and not isinstance(v, bool)
def same(a, b):
    if a is NONE or b is NONE: return a is b
    if number(a) and number(b): return a == b
    if type(a) is not type(b): return False
    if isinstance(a, list): return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict): return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b
def less(a, b): return number(a) and number(b) and a < b or isinstance(a, str) and isinstance(b, str) and a < b
def holds(c, current, root):
    if c[0] == 'exists': return bool(nodes_of(c[1], current, root))
    if c[0] == 'not': return not holds(c[1], current, root)
    if c[0] == 'and': return holds(c[1], current, root) and holds(c[2], current, root)
    if c[0] == 'or': return holds(c[1], current, root) or holds(c[2], current, root)
    if c[0] == 'test':
        text = evaluate(c[2], current, root)
        return isinstance(text, str) and bool((re.fullmatch if c[1] == 'match' else re.search)(c[3], text))
    a, b = evaluate(c[1], current, root), evaluate(c[3], current, root)
    return {'==': lambda: same(a, b), '!=': lambda: not same(a, b), '<': lambda: less(a, b), '>': lambda: less(b, a),
        '<=': lambda: less(a, b) or same(a, b), '>=': lambda: less(b, a) or same(a, b)}[c[2]]()
count = 0
while count < int(sys.argv[2]):
    doc = value()
    if not isinstance(doc, (list, dict)): continue
    for _ in range(4):
        q = ('query', False, segments(0) or segments(0))
        result = found(q[2], doc, '$', doc)
        if not result and draw.random() < .8 or len(result) > 200: continue
        count += 1
        print(json.dumps([doc, path_text(q), [x for x, _ in result], [p for _, p in result]]))
