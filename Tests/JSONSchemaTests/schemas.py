# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
import json, random, re, sys
from fractions import Fraction
draw = random.Random(int(sys.argv[1]))
pick = draw.choice
class Number(Fraction):
    def __new__(cls, text):
        self = super().__new__(cls, text)
        self.text = text
        return self
    def __hash__(self): return super().__hash__()
def read(text): return json.loads(text, parse_int=Number, parse_float=Number)
def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None: return a is b
    if isinstance(a, Fraction) and isinstance(b, Fraction): return Fraction(a) == Fraction(b)
    if isinstance(a, list) and isinstance(b, list): return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict): return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return isinstance(a, str) and isinstance(b, str) and a == b
names = ['a', 'b', 'c', 'ab', 'é', 'e\u0301', '', 'a/b', 'x~y']
texts = ['a', 'ab', 'abc', '', 'é', 'e\u0301', '😀b', 'b', '127.0.0.1', '1.2.3', '2020-02-29']
numbers = ['0', '1', '2', '3', '-1', '-3', '1.0', '2.5', '1e2', '10', '100', '0.1', '0.30', '-0.0', '1e-2', '12345678901234567890', '12345678901234567890.5', '24691357802469135780', '5e20', '1E+1', '-2.50', '7', '1e400', '-1e400', '99999999999999999999999', '0.5e1']
def raw(text): return Raw(text)
class Raw:
    def __init__(self, text): self.text = text
def written(value):
    if isinstance(value, Raw): return value.text
    if isinstance(value, list): return '[' + ','.join(map(written, value)) + ']'
    if isinstance(value, dict): return '{' + ','.join(json.dumps(k) + ':' + written(v) for k, v in value.items()) + '}'
    return json.dumps(value, ensure_ascii=draw.random() < .5)
def instance(depth=0):
    kind = draw.randrange(11 if depth < 3 else 6)
    if kind < 3: return Raw(pick(numbers))
    if kind < 5: return pick(texts)
    if kind == 5: return pick((True, False, None))
    if kind < 8: return [instance(depth + 1) for _ in range(draw.randrange(5))]
    return {pick(names): instance(depth + 1) for _ in range(draw.choice((0, 1, 2, 3, 4, 12)))}
def some(items, most): return draw.sample(items, draw.randrange(1, most + 1))
kinds = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']
def keyword(depth, draft):
    sub = lambda: schema(depth + 1, draft)
    inner = depth < 3
    name = pick(['type', 'type', 'enum', 'const', 'multipleOf', 'maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties', 'minProperties', 'required', 'dependentRequired', 'format', 'nullable', 'title']
        + ['properties', 'properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'dependencies', 'dependentSchemas', 'items', 'items', 'prefixItems', 'additionalItems', 'contains', 'contains', 'allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref', 'unevaluatedItems', 'unevaluatedProperties'] * inner)
    if name == 'type': return {name: pick(kinds) if draw.random() < .5 else some(kinds, 5)}
    if name == 'enum': return {name: [instance(2) for _ in range(draw.randrange(1, 7))]}
    if name == 'const': return {name: instance(1)}
    if name == 'multipleOf': return {name: Raw(pick(('1', '2', '0.1', '0.25', '3', '10', '7', '0.03', '12345678901234567890', '1e2', '1234567890123456789012.5')))}
    if name in ('maximum', 'minimum'): return {name: Raw(pick(numbers))} | ({('exclusive' + name.title()): pick((True, False))} if draft == 4 and draw.random() < .5 else {})
    if name.startswith('exclusive'): return {name: pick((True, False))} if draft == 4 else {name: Raw(pick(numbers))}
    if name in ('maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'): return {name: Raw(pick(('0', '1', '2', '3', '2.0', '1e1', '10', '9', '12', '99999999999999999999')))}
    if name == 'pattern': return {name: pick(('^a', 'b$', 'a|é', '.'))}
    if name == 'uniqueItems': return {name: pick((True, True, False))}
    if name == 'required': return {name: some(names, 3) if draw.random() < .9 else True}
    if name == 'dependentRequired': return {name: {pick(names): some(names, 2) for _ in range(draw.randrange(1, 4))}}
    if name == 'format': return {name: pick(('ipv4', 'date', 'none-such', 'uri-reference'))}
    if name == 'nullable': return {name: pick((True, False))}
    if name == 'title': return {name: 'a'}
    if name in ('properties', 'dependentSchemas'): return {name: {pick(names): sub() for _ in range(draw.randrange(1, 5))}}
    if name == 'patternProperties': return {name: {pick(('a', '^b', '.', 'c$', '^$')): sub() for _ in range(draw.randrange(1, 3))}}
    if name == 'dependencies': return {name: {pick(names): pick((some(names, 2), sub(), sub(), 'a')) for _ in range(draw.randrange(1, 4))}}
    if name == 'items': return {name: sub() if draft >= 2020 or draw.random() < .5 else [sub() for _ in range(draw.randrange(1, 4))]} | ({'additionalItems': sub()} if draw.random() < .5 else {})
    if name in ('prefixItems', 'allOf', 'anyOf', 'oneOf'): return {name: [sub() for _ in range(draw.randrange(1, 4))]}
    if name == 'contains': return {name: sub()} | ({pick(('minContains', 'maxContains')): draw.randrange(4)} if draw.random() < .6 else {})
    if name == 'if': return {name: sub()} | ({'then': sub()} if draw.random() < .7 else {}) | ({'else': sub()} if draw.random() < .7 else {})
    if name == '$ref': return {name: pick(('#/definitions/one', '#/definitions/two', '#/definitions/a~1b%20c'))}
    return {name: sub()}
def schema(depth, draft):
    if draft > 4 and draw.random() < .12: return pick((True, True, False))
    if draw.random() < .05: return {}
    made = {}
    for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 4))): made |= keyword(depth, draft)
    return made
since = {'const': 6, 'contains': 6, 'propertyNames': 6, 'if': 7, 'then': 7, 'else': 7, 'dependentRequired': 2019, 'dependentSchemas': 2019, 'unevaluatedItems': 2019, 'unevaluatedProperties': 2019, 'minContains': 2019, 'maxContains': 2019, 'prefixItems': 2020}
def typed(value, name, draft):
    if name == 'integer': return isinstance(value, Fraction) and (value.denominator == 1 if draft > 4 else re.fullmatch('-?[0-9]+', value.text) is not None)
    return isinstance(value, {'null': type(None), 'boolean': bool, 'number': Fraction, 'string': str, 'array': list, 'object': dict}[name])
def step(place, name): return place + '/' + str(name).replace('~', '~0').replace('/', '~1')
ALL = object()
def judge(rule, value, draft, root, place, out):
    """The items and properties that were evaluated; None if the value is not valid. Adds to what is wrong, if anybody asks."""
    seen = set()
    wrong = []
    def fail(keyword, at=place):
        wrong.append(True)
        if out is not None: out.append((at, keyword))
    def inner(rule, value, at):
        if judge(rule, value, draft, root, at, out) is None: wrong.append(True)
    def tried(rule, value): return judge(rule, value, draft, root, '', None)
    def beside(rule):
        found = judge(rule, value, draft, root, place, out)
        if found is None: wrong.append(True)
        else: seen.update(found)
    if rule is False: fail('false'); return None
    if rule is True: return seen
    def get(name): return rule.get(name) if draft >= since.get(name, 4) else None
    if '$ref' in rule:
        beside(root['definitions'][{'one': 'one', 'two': 'two'}.get(rule['$ref'].split('/')[-1], 'a/b c')])
        if draft < 2019: return None if wrong else seen
    null = [None] if rule.get('nullable') is True else []
    if 'type' in rule:
        wanted = rule['type'] if isinstance(rule['type'], list) else [rule['type']]
        if not any(typed(value, name, draft) for name in wanted + ['null'] * len(null)): fail('type')
    if 'enum' in rule and not any(same(value, other) for other in rule['enum'] + null): fail('enum')
    if draft > 4 and 'const' in rule and not same(value, rule['const']): fail('const')
    if isinstance(value, Fraction):
        if 'multipleOf' in rule and value % Fraction(rule['multipleOf']): fail('multipleOf')
        for name, sign in (('maximum', 1), ('minimum', -1)):
            strict = 'exclusive' + name.title()
            if name in rule:
                difference = (Fraction(value) - Fraction(rule[name])) * sign
                if draft == 4 and rule.get(strict) is True: difference >= 0 and fail(strict)
                elif difference > 0: fail(name)
            if draft > 4 and strict in rule and (Fraction(value) - Fraction(rule[strict])) * sign >= 0: fail(strict)
    sizes = [('Length', str, len), ('Items', list, len), ('Properties', dict, len)]
    for name, kind, size in sizes:
        if isinstance(value, kind):
            if 'max' + name in rule and size(value) > rule['max' + name]: fail('max' + name)
            if 'min' + name in rule and size(value) < rule['min' + name]: fail('min' + name)
    if isinstance(value, str):
        if 'pattern' in rule and not re.search(rule['pattern'], value): fail('pattern')
        if 'format' in rule and draft < 2019:
            name = rule['format']
            if name == 'ipv4' and value != '127.0.0.1' or name == 'date' and draft == 7 and value != '2020-02-29': fail('format')
            if name == 'uri-reference' and draft > 4 and not value.isascii(): fail('format')
    if isinstance(value, dict):
        if isinstance(rule.get('required'), list):
            for name in rule['required']:
                if name not in value: fail('required')
        named = get('properties') or {}
        patterns = get('patternProperties') or {}
        additional = rule.get('additionalProperties')
        for name in value:
            rules = ([named[name]] if name in named else []) + [s for p, s in patterns.items() if re.search(p, name)]
            if not rules:
                if additional is None: continue
                if additional is False: fail('additionalProperties'); continue
                rules = [additional]
            seen.add(name)
            for one in rules: inner(one, value[name], step(place, name))
        if get('propertyNames') is not None and any(tried(rule['propertyNames'], name) is None for name in value): fail('propertyNames')
        for keyword in ('dependencies', 'dependentRequired', 'dependentSchemas'):
            for name, wanted in (get(keyword) or {}).items():
                if name not in value: continue
                if isinstance(wanted, (list, str)):
                    for other in [wanted] if isinstance(wanted, str) else wanted:
                        if other not in value: fail(keyword)
                else: beside(wanted)
    if isinstance(value, list):
        if rule.get('uniqueItems') is True and any(same(a, b) for i, a in enumerate(value) for b in value[:i]): fail('uniqueItems')
        if draft >= 2020: first, rest = rule.get('prefixItems', []), rule.get('items')
        elif isinstance(rule.get('items'), list): first, rest = rule['items'], rule.get('additionalItems')
        else: first, rest = [], rule.get('items')
        for position, item in enumerate(value):
            one = first[position] if position < len(first) else rest
            if one is not None: inner(one, item, step(place, position))
            if one is not None or position < len(first): seen.add(position)
        if get('contains') is not None:
            found = [i for i, item in enumerate(value) if tried(rule['contains'], item) is not None]
            if draft >= 2020: seen.update(found)
            least, most = get('minContains'), get('maxContains')
            if most is not None and len(found) > most: fail('maxContains')
            elif len(found) < (1 if least is None else least): fail('contains' if least in (None, 1) else 'minContains')
    for one in rule.get('allOf', []): beside(one)
    if 'anyOf' in rule:
        found = [f for f in (tried(one, value) for one in rule['anyOf']) if f is not None]
        if not found: fail('anyOf')
        for one in found: seen |= one
    if 'oneOf' in rule:
        found = [f for f in (tried(one, value) for one in rule['oneOf']) if f is not None]
        if len(found) != 1: fail('oneOf')
        else: seen |= found[0]
    if 'not' in rule and tried(rule['not'], value) is not None: fail('not')
    if get('if') is not None:
        found = tried(rule['if'], value)
        if found is not None: seen |= found
        branch = get('then' if found is not None else 'else')
        if branch is not None: beside(branch)
    for keyword, kind in (('unevaluatedItems', list), ('unevaluatedProperties', dict)):
        if get(keyword) is None or not isinstance(value, kind): continue
        for one in (range(len(value)) if kind is list else value):
            if one in seen: continue
            if rule[keyword] is False and kind is dict: fail(keyword)
            else: inner(rule[keyword], value[one], step(place, one))
            seen.add(one)
    return None if wrong else seen
for _ in range(int(sys.argv[2])):
    draft = pick((4, 6, 7, 2019, 2020, 2020))
    made = schema(0, draft)
    while not isinstance(made, dict): made = schema(0, draft)
    two = schema(2, draft)
    made['definitions'] = {'one': schema(3, draft), 'a/b c': schema(3, draft), 'two': two}
    if isinstance(two, dict) and two.get('$ref', '').endswith('two') or '#/definitions/two' in json.dumps(two, default=lambda r: ''): made['definitions']['two'] = {'$ref': '#/definitions/one'}
    text = written(made)
    parsed = read(text)
    print('schema', draft, text, sep='\t')
    for _ in range(12):
        value = written(instance())
        out = []
        valid = judge(parsed, read(value), draft, parsed, '', out)
        print('valid' if valid is not None else 'invalid', value, '\u0001'.join(sorted(f'{at} {keyword}' for at, keyword in out)), sep='\t')
