# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
import json, random, re, sys
from decimal import Decimal, getcontext
getcontext().prec = 400
draw = random.Random(int(sys.argv[1]))
class Literal(str): pass
class Pairs(list): pass
def refuse(text): raise ValueError(text)
def quoted(text):
    text = re.sub('[\ud800-\udfff]', '\ufffd', text)
    return '"' + re.sub(r'["\\\x00-\x1f]', lambda m: {'"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t'}.get(m[0]) or '\\u%04x' % ord(m[0]), text) + '"'
def dump(v):
    if isinstance(v, Literal): return v
    if isinstance(v, str): return quoted(v)
    if isinstance(v, Pairs): return '{' + ','.join(quoted(k) + ':' + dump(x) for k, x in v) + '}'
    if isinstance(v, dict): return '{' + ','.join(quoted(k) + ':' + dump(x) for k, x in v.items()) + '}'
    if isinstance(v, list): return '[' + ','.join(map(dump, v)) + ']'
    return json.dumps(v)
def read(text):
    try: return dump(json.loads(text.decode().removeprefix('\ufeff'), parse_int=Literal, parse_float=Literal, parse_constant=refuse, object_pairs_hook=Pairs))
    except ValueError: return ''
texts = [b' {"a": [1, -0, 12.50, 1e5, -2.5E-10, 0.1e+7], "b\\"\\\\\\/": "\\u00e9\\ud83d\\ude00\xc3\xa9\\n\\b\\f\\r\\t", "a": {}, "": [ ], "c":[true,false,null]}\n',
         b'\xef\xbb\xbf["\\ud800", "\\udc00x", "\\uD83D\\u0041", "a long text of more than eight bytes", "\xf0\x9f\x98\x80 and another one\\u000a"]']
signs = list(b'"\\/bfnrtu0123456789abcdefABCDEF.+-{}[],: \n\t\r\x00\x1f\x7f\x80\xc3\xa9\xff')
for _ in range(4000):
    text = bytearray(draw.choice(texts))
    for _ in range(draw.choice((1, 1, 2, 3))):
        place = draw.randrange(len(text))
        match draw.randrange(5):
            case 0: text[place] = draw.choice(signs)
            case 1: del text[place]
            case 2: text.insert(place, draw.choice(signs))
            case 3: text[place:place] = text[place:place + draw.randint(1, 9)]
            case 4: del text[place:place + draw.randint(1, 9)]
    print('text', bytes(text).hex(), read(bytes(text)).encode().hex(), sep='|')
def literal():
    digits = lambda: ''.join(draw.choice('0012359') for _ in range(draw.choice((1, 1, 2, 3, 18, 19, 20))))
    text = draw.choice(('', '', '-')) + (digits().lstrip('0') or '0')
    if draw.random() < .5: text += '.' + digits()
    if draw.random() < .4: text += draw.choice('eE') + draw.choice(('', '+', '-')) + str(draw.choice((0, 1, 2, 3, 17, 18, 19, 20)))
    return text
def alike(text):
    value = Decimal(text)
    return draw.choice((format(value, 'f'), '%se-1' % (value * 10).to_eng_string().split('E')[0] if 'E' not in str(value * 10) else text, text + '0' if '.' in text and 'e' not in text.lower() else text, literal(), str(value + 1), '-' + text.lstrip('-')))
for _ in range(4000):
    a = draw.choice((literal(), str(draw.choice((2**63 - 1, 2**63, -2**63, -2**63 - 1, 2**53)))))
    b = alike(a)
    x, y = Decimal(a), Decimal(b)
    print('number', a, b, (x > y) - (x < y), int(x) if x == x.to_integral_value() and -2**63 <= x < 2**63 else '', sep='|')
names = ['a', 'b', '', '0', '1', '~', '/', 'm~n', '-']
def value(depth=0):
    match draw.randrange(6 if depth < 3 else 4):
        case 0: return draw.choice((1, 2.5, 1.0, -7))
        case 1: return draw.choice(('a', 'b', ''))
        case 2: return draw.choice((True, False))
        case 3: return None
        case 4: return [value(depth + 1) for _ in range(draw.randrange(4))]
        case 5: return {draw.choice(names): value(depth + 1) for _ in range(draw.randrange(4))}
def places(v, at=''):
    yield at
    inner = enumerate(v) if isinstance(v, list) else v.items() if isinstance(v, dict) else ()
    for k, x in inner: yield from places(x, at + '/' + str(k).replace('~', '~0').replace('/', '~1'))
def pointer(doc):
    at = draw.choice(list(places(doc)))
    return at + draw.choice(('',) * 16 + ('/a', '/-', '/0', '/1', '/00', '/b', '/~0', '/~2', '/3', '/4', 'x', '~'))
class Wrong(Exception): pass
def parsed(text):
    if text == '': return []
    if text[0] != '/' or re.search('~(?![01])', text): raise Wrong('malformed')
    return [part.replace('~1', '/').replace('~0', '~') for part in text[1:].split('/')]
def index(name, count, end):
    if name == '-' and end: return count
    if not re.fullmatch('0|[1-9][0-9]*', name) or int(name) >= count + end: raise Wrong('missing')
    return int(name)
def step(v, name):
    if isinstance(v, list): return v[index(name, len(v), 0)]
    if isinstance(v, dict) and name in v: return v[name]
    raise Wrong('missing')
def get(v, path):
    for name in path: v = step(v, name)
    return v
def put(root, path, x, adds):
    if not path: return x
    v, name = get(root, path[:-1]), path[-1]
    if isinstance(v, list):
        place = index(name, len(v), adds)
        if adds: v.insert(place, x)
        else: v[place] = x
    elif isinstance(v, dict) and (adds or name in v): v[name] = x
    else: raise Wrong('missing')
    return root
def remove(root, path):
    if not path: raise Wrong('missing')
    v, name = get(root, path[:-1]), path[-1]
    old = step(v, name)
    if isinstance(v, list): v.pop(int(name))
    else: del v[name]
    return old
def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool): return a is b
    if isinstance(a, list) and isinstance(b, list): return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict): return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return type(a) in (int, float) and type(b) in (int, float) and a == b or type(a) is type(b) and a == b
copy = lambda v: json.loads(json.dumps(v))
def patched(root, patch):
    for o in patch:
        if o.get('op') not in ('add', 'remove', 'replace', 'move', 'copy', 'test') or 'path' not in o: raise Wrong('malformed')
        path = parsed(o['path'])
        if o['op'] in ('move', 'copy'):
            if 'from' not in o: raise Wrong('malformed')
            source = parsed(o['from'])
            if o['op'] == 'move' and len(path) > len(source) and path[:len(source)] == source: raise Wrong('malformed')
        elif o['op'] != 'remove' and 'value' not in o: raise Wrong('malformed')
    for o in patch:
        path = parsed(o['path'])
        match o['op']:
            case 'add': root = put(root, path, copy(o['value']), 1)
            case 'replace': root = put(root, path, copy(o['value']), 0)
            case 'remove': remove(root, path)
            case 'move': root = put(root, path, remove(root, parsed(o['from'])), 1)
            case 'copy': root = put(root, path, copy(get(root, parsed(o['from']))), 1)
            case 'test':
                if not same(get(root, path), o['value']): raise Wrong('test')
    return root
def merged(v, patch):
    if not isinstance(patch, dict): return patch
    v = dict(v) if isinstance(v, dict) else {}
    for k, x in patch.items():
        if x is None: v.pop(k, None)
        else: v[k] = merged(v.get(k), x)
    return v
for _ in range(3000):
    doc, patch = value(), []
    while not isinstance(doc, (list, dict)): doc = value()
    for _ in range(draw.randint(1, 3)):
        path, op = pointer(doc), draw.choice(('add', 'remove', 'replace', 'move', 'copy', 'test'))
        try: here = get(doc, parsed(path))
        except Wrong: here = None
        o = {'op': op, 'path': path, 'from': pointer(doc), 'value': draw.choice((value(), here)) if op == 'test' else value()}
        if draw.random() < .05: del o[draw.choice(list(o))]
        patch.append(o)
    try: result = dump(patched(copy(doc), patch))
    except Wrong as wrong: result = str(wrong)
    print('patch', dump(doc), dump(patch), result, sep='|')
    other = value()
    print('merge', dump(doc), dump(other), dump(merged(doc, other)), sep='|')
