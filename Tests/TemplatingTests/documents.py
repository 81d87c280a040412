# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
import json, random, sys
from urllib.parse import quote_plus
draw = random.Random(int(sys.argv[1]))
pick = draw.choice
names = ['a', 'b', 'c', 'key', 'é', 'e\u0301']
def leaf(): return pick((0, 1, 2, -3, 2.5, 'x', 'y z', 'é', '', True, False, None))
def value(depth=0):
    kind = draw.randrange(8 if depth < 3 else 4)
    if kind < 4: return leaf()
    if kind < 6: return [value(depth + 1) for _ in range(draw.randrange(4))]
    return {pick(names): value(depth + 1) for _ in range(draw.randrange(4))}
def some(depth=0): return {name: value(depth + 1) for name in draw.sample(names, draw.randrange(1, 5))}
def compact(v): return json.dumps(v, separators=(',', ':'), ensure_ascii=False)
def given(v): return "'" + json.dumps(v, ensure_ascii=False, separators=pick(((',', ':'), (', ', ': '), (' , ', ' : ')))) + "'"
def spaced(v, level=0):
    if isinstance(v, list): return '[ ' + ', '.join(spaced(e, level) for e in v) + (' ]' if v else ']')
    if isinstance(v, dict): return '{' + (','.join('\n' + '  ' * (level + 1) + compact(k) + ' : ' + spaced(e, level + 1) for k, e in v.items()) + '\n' + '  ' * level if v else ' ') + '}'
    return compact(v)
def merged(one, two, drops):
    if not isinstance(one, dict) or not isinstance(two, dict): return two
    out = dict(one)
    for k, v in two.items():
        if drops and v is None: out.pop(k, None)
        else: out[k] = merged(out[k], v, drops) if k in out else v
    return out
def text(v):
    if v is None: return ''
    if isinstance(v, bool): return str(v).lower()
    return v if isinstance(v, str) else compact(v)
def listed(v): return '[' + ', '.join(map(text, v)) + ']'
def true(v): return v not in (None, False, 0, '', []) if not isinstance(v, dict) else True
def ways(v, way='$', steps=()):
    yield way, steps
    for k, e in (v.items() if isinstance(v, dict) else enumerate(v) if isinstance(v, list) else ()): yield from ways(e, way + (f'.{k}' if isinstance(k, str) else f'[{k}]'), steps + (k,))
def at(v, steps):
    for s in steps: v = v[s]
    return v
def merge():
    one, two, drops = some(), some(), draw.random() < .4
    option = pick((' removeNulls=true', " removeNulls='true'")) if drops else pick(('', ' removeNulls=false'))
    if draw.random() < .3: return f'{{{{#jsonMerge {given(one)}{option}}}}}{compact(two)}{{{{/jsonMerge}}}}', compact(merged(one, two, drops))
    return f'{{{{jsonMerge {given(one)} {given(two)}{option}}}}}', compact(merged(one, two, drops))
def rank(v):
    if v is None: return (0,)
    if isinstance(v, (int, float)) and not isinstance(v, bool): return (1, v)
    return (2, v.encode()) if isinstance(v, str) else (3,)
def sort():
    order = pick(('', " order='asc'", " order='desc'"))
    if draw.random() < .4:
        rows = [value(2) for _ in range(draw.randrange(7))]
        key, path = rank, pick(('', " '$'"))
    else:
        rows = [{'id': i} | ({'a': leaf()} if draw.random() < .8 else {}) for i in range(draw.randrange(7))]
        key, path = lambda r: rank(r.get('a')), pick((" '$.a'", " '$[*].a'"))
    if 'desc' in order: rows_ = sorted(rows, key=key, reverse=True)
    else: rows_ = sorted(rows, key=key)
    return f'{{{{jsonSort {given(rows)}{path}{order}}}}}', compact(rows_)
def remove():
    v = some()
    way, steps = pick(list(ways(v))[1:])
    if draw.random() < .2: way, steps = '$..b', None
    def without(v, steps):
        if steps is None:
            if isinstance(v, dict): return {k: without(e, None) for k, e in v.items() if k != 'b'}
            return [without(e, None) for e in v] if isinstance(v, list) else v
        v = dict(v) if isinstance(v, dict) else list(v)
        if len(steps) == 1: del v[steps[0]]
        else: v[steps[0]] = without(v[steps[0]], steps[1:])
        return v
    return f"{{{{jsonRemove {given(v)} '{way}'}}}}", compact(without(v, steps))
def add():
    v, item = some(), value()
    lists = [(w, s) for w, s in ways(v) if isinstance(at(v, s), list)]
    if not lists or draw.random() < .4: v, lists = [value(1) for _ in range(draw.randrange(4))], [('$', ())]
    way, steps = pick(lists)
    flat, most = draw.random() < .4, pick((None, None, 0, 1, 3))
    made = json.loads(json.dumps(v))
    old = at(made, steps)
    new = old + (item if flat and isinstance(item, list) else [item])
    if most is not None: new = new[len(new) - most:] if most < len(new) else new
    if most == 0: new = []
    old[:] = new
    options = ('' if way == '$' and draw.random() < .7 else f" jsonPath='{way}'") + (' flatten=true' if flat else '') + ('' if most is None else f' maxItems={most}')
    if draw.random() < .3: return f'{{{{#jsonArrayAdd {given(v)}{options}}}}}{compact(item)}{{{{/jsonArrayAdd}}}}', compact(made)
    return f'{{{{jsonArrayAdd {given(v)} {given(item)}{options}}}}}', compact(made)
def format_():
    v = value()
    kind = pick(('pretty', 'compact', None))
    option = f" format='{kind}'" if kind else ''
    shown = compact(v) if kind == 'compact' else spaced(v)
    return pick(((f'{{{{formatJson {given(v)}{option}}}}}', shown), (f'{{{{#formatJson{option}}}}} {given(v)[1:-1]}\n{{{{/formatJson}}}}', shown), (f'{{{{toJson (parseJson {given(v)})}}}}', spaced(v) if v is not None else 'null')))
def path():
    v = some()
    way, steps = pick(list(ways(v)))
    found = at(v, steps)
    if draw.random() < .2: way, found = way + '.zz', None
    plain = f'x{text(found)}|' if found is not None else 'x|'
    return pick(((f"x{{{{jsonPath {given(v)} '{way}'}}}}|", plain), (f"{{{{jsonPath {given(v)} '{way}' default='d'}}}}", text(found) if found is not None else 'd'),
        (f"{{{{#with (parseJson {given(v)})}}}}<{{{{{'.'.join(['this'] + [f'[{s}]' for s in steps])}}}}}>{{{{/with}}}}", f'<{text(at(v, steps))}>'),
        (f"{{{{#if (jsonPath {given(v)} '{way}')}}}}y{{{{else}}}}n{{{{/if}}}}", 'y' if true(found) else 'n')))
def lists():
    v = [pick((1, 'a', 'b c', True, 2.5, 'é')) for _ in range(draw.randrange(1, 5))]
    made = '(array ' + ' '.join(f"'{e}'" if isinstance(e, str) else compact(e) for e in v) + ')'
    if draw.random() < .3: made = f'(parseJson {given(v)})'
    place = pick((None, 'start', 'END', 0, 1, 2, len(v), len(v) - 1, len(v) + 1, -1, 'x'))
    position = '' if place is None else f' position={place}' if isinstance(place, int) else f" position='{place}'"
    wrong = '[ERROR: position must be greater than or equal to 0 and less than or equal to the size of the list]'
    def show(index, most, act):
        if index == 'x': return "[ERROR: position must be 'start', 'end' or an integer]"
        index = most if index in (None, 'END') else 0 if index == 'start' else index
        return act(index) if 0 <= index <= most else wrong
    separator, around = pick((',', '', ' - ')), draw.random() < .4
    before, behind = ('<', '>') if around else ('', '')
    option = " prefix='<' suffix='>'" if around else ''
    return pick(((f'{{{{arrayAdd {made} 7{position}}}}}', show(place, len(v), lambda i: listed(v[:i] + [7] + v[i:]))), (f'{{{{arrayRemove {made}{position}}}}}', show(place, len(v) - 1, lambda i: listed(v[:i] + v[i + 1:]))),
        (f"{{{{arrayJoin '{separator}' {made}{option}}}}}", before + separator.join(map(text, v)) + behind), (f"{{{{join {made} '{separator}'{option}}}}}", before + separator.join(map(text, v)) + behind),
        (f"{{{{#arrayJoin '{separator}' {made} as |e|}}}}({{{{e}}}}{{{{this}}}}){{{{/arrayJoin}}}}", separator.join(f'({text(e)}{text(e)})' for e in v)), (f'{{{{size {made}}}}}', str(len(v)))))
def several():
    """The values of one name, of which there may be one or more."""
    v = [pick(('x', 'xy', '', '1', 'é b', '0')) for _ in range(draw.choice((1, 1, 2, 3)))]
    pairs = [('a', e) for e in v] + [('b', '2')]
    if draw.random() < .5: pairs = pairs[-1:] + pairs[:-1]
    coded = draw.random() < .5
    form = '&'.join(f'{n}={quote_plus(e) if coded else e}' for n, e in pairs)
    one, holds = len(v) == 1, len(v) > 1 or v[0] != ''
    part = pick(('x', 'xy', '1', 'y'))
    index = draw.randrange(-1, 4)
    test = pick((('{{f.a}}', v[0]), (f'{{{{f.a.[{index}]}}}}', v[index] if 0 <= index < len(v) else ''), ('{{f.a.first}}{{f.a.last}}{{f.a.length}}{{f.a.size}}', f'{v[0]}{v[-1]}{len(v)}{len(v)}'),
        ('{{#each f.a}}<{{this}}>{{/each}}', ''.join(f'<{e}>' for e in v)), ('{{#f.a}}<{{this}}>{{/f.a}}{{^f.a}}none{{/f.a}}', ''.join(f'<{e}>' for e in v) if holds else 'none'),
        ('{{#if f.a}}y{{else}}n{{/if}}{{not f.a}}', 'yfalse' if holds else 'ntrue'), (f"{{{{contains f.a '{part}'}}}}", str(part in (v[0] if one else v)).lower()), (f"{{{{join f.a '-'}}}}", '-'.join(v) if holds else ''),
        ('{{toJson f.a}}', compact(v[0]) if one else spaced(v)), ('{{toJson f}}', spaced({n: (v[0] if one else v) if n == 'a' else '2' for n, _ in pairs})), ('{{#each f}}{{@key}}={{this}};{{/each}}', ''.join(f'{n}={v[0] if n == "a" else 2};' for n in dict(pairs))),
        (f"{{{{eq f.a '{part}'}}}}", str(one and v[0] == part).lower()), ('{{upper f.a}}', v[0].upper() if holds else ''), ("{{defaultIfEmpty f.a 'd'}}", v[0] if holds else 'd'), ('{{size f.a}}', str(len(v[0]) if one else len(v))), ('{{size f}}', '2'),
        ('{{#with f.a}}<{{.}}>{{else}}none{{/with}}', f'<{v[0]}>' if holds else 'none'), ('{{#each f.a}}{{@first}}{{@last}}{{@odd}}{{@even}}{{@index_1}}{{/each}}', ''.join(f'{str(i == 0).lower()}{str(i == len(v) - 1).lower()}{str(i % 2 == 1).lower()}{str(i % 2 == 0).lower()}{i + 1}' for i in range(len(v))))))
    return f"{{{{formData '{form}' 'f'{' urlDecode=true' if coded else ''}}}}}{test[0]}", test[1]
def xml():
    rows = [(pick('xyz'), pick(('1', '2', 'é', 'a &lt; b'))) for _ in range(draw.randrange(4))]
    source = '<r>' + ''.join(f'<b i="{i}">{t}</b>' for i, t in rows) + '</r>'
    plain = [(i, t.replace('&lt;', '<')) for i, t in rows]
    part = f"(xPath '{source}' '/r/b')"
    own = f'<b i="{rows[0][0]}">{rows[0][1]}</b>' if rows else ''
    n = len(rows)
    test = pick(((f'{{{{#each {part}}}}}{{{{name}}}}{{{{attributes.i}}}}{{{{text}}}};{{{{/each}}}}', ''.join(f'b{i}{t};' for i, t in plain)), (f"{{{{xPath '{source}' '/r/b'}}}}", own), (f"{{{{xPath '{source}' '/r/b/text()'}}}}", plain[0][1] if rows else ''),
        (f"{{{{xPath '{source}' '/r/b/@i' default='d'}}}}", plain[0][0] if rows else 'd'), (f"{{{{xPath '{source}' 'count(/r/b) div 2'}}}}", str(n // 2) if n % 2 == 0 else f'{n / 2}'), (f"{{{{xPath '{source}' 'count(/r/b) > 1'}}}}", str(n > 1).lower()),
        (f"{{{{xPath '{source}' 'string(/r/b[1])'}}}}", plain[0][1] if rows else ''), (f"{{{{size {part}}}}}" if n > 1 else 'x', str(n) if n > 1 else 'x'), (f'{{{{#with {part} as |b|}}}}{{{{b.length}}}}{{{{b.last.text}}}}{{{{b.[0].attributes.i}}}}{{{{/with}}}}', f'{n}{plain[-1][1]}{plain[0][0]}' if rows else ''),
        (f'{{{{#with {part} as |b|}}}}{{{{b.text}}}}{{{{b.name}}}}{{{{/with}}}}', f'{plain[0][1]}b' if n == 1 else ''), (f"{{{{formatXml '{source}'}}}}", '<r>\n' + ''.join(f'  <b i="{i}">{t}</b>\n' for i, t in rows) + '</r>\n' if rows else '<r/>\n'),
        (f"{{{{formatXml ' {source} ' format='compact'}}}}", source if rows else '<r/>'), (f"{{{{soapXPath '<Envelope><Body>{source}</Body></Envelope>' '/r/b[last()]/text()'}}}}", plain[-1][1] if rows else '')))
    return test
for make, count in ((merge, 150), (sort, 200), (remove, 150), (add, 200), (format_, 150), (path, 200), (lists, 250), (several, 350), (xml, 200)):
    for _ in range(count):
        template, result = make()
        if 'None' in template and make is lists: continue
        print(json.dumps(template), json.dumps(result), sep='\t')
