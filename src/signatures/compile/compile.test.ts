import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cpuOf } from '../../../test/support/cpu.ts'
import { checkTemplate, compileSignature, TemplateFault } from './compile.ts'

/** In microseconds. */
const cpuMax = 1_000_000

const data: Parameters<typeof compileSignature>[1] = {
  email: 'zoe@acme.example',
  display_name: "Zoë O'Neil",
  fields: {
    title: 'Head of R&D',
    phone: '+49 30 901820',
    bio: 'one\ntwo',
    link: 'https://acme.example/?a=1&b=2',
  },
  persona: { role: 'Scout', links: [{ label: 'Blog' }, { label: 'Talks' }] },
  org: { name: 'Acme' },
}

const compile = (html: string, text: string | null = null, fields: Record<string, string> = {}) =>
  compileSignature({ html, text }, { ...data, fields: { ...data.fields, ...fields } })
const html = (source: string, fields?: Record<string, string>) => compile(source, null, fields).html
const warnings = (source: string, fields?: Record<string, string>) =>
  compile(source, 'text', fields).warnings.map(({ message }) => message)
const fault = (run: () => unknown): TemplateFault => {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateFault)
    return error as TemplateFault
  }
  throw new Error('compiling should have thrown')
}

describe('names', () => {
  test.each([
    ['{{ email }}', 'zoe@acme.example'],
    ['{{ display_name }}', "Zoë O'Neil"],
    ['{{ title }}', 'Head of R&amp;D'],
    ['{{ fields.title }}', 'Head of R&amp;D'],
    ['{{ org.name }}', 'Acme'],
    ['{{ persona.role }}', 'Scout'],
    [
      '{% for link in persona.links %}{{ link.label }} {{ forloop.index }}/{{ forloop.length }} {% endfor %}',
      'Blog 1/2 Talks 2/2',
    ],
    ['[{{ nothing }}]', '[]'],
    ['[{{ nothing.at.all }}]', '[]'],
    ['[{{ org }}{{ persona }}{{ fields }}]', '[]'],
    ['{{ nothing | default: org.name }}', 'Acme'],
    ['[{{ constructor }}{{ __proto__ }}{{ email.constructor }}{{ fields.toString }}]', '[]'],
  ])('the template %s gives %s', (source, expected) => {
    expect(html(source)).toBe(expected)
  })

  test.each(['email', 'display_name', 'persona', 'org', 'fields'])(
    'a field called %s is read as fields.%s only',
    (name) => {
      expect(html(`{{ ${name} }}`, { [name]: 'from a field' })).toBe(html(`{{ ${name} }}`))
      expect(html(`{{ fields.${name} }}`, { [name]: 'from a field' })).toBe('from a field')
    },
  )

  test('a mailbox without a persona compiles like one with an empty persona', () => {
    expect(
      compileSignature({ html: '[{{ persona.role }}]', text: null }, { ...data, persona: null }).html,
    ).toBe('[]')
  })

  test.each([
    ['{{ titel }}', '“titel” is not in the data: nothing is shown there'],
    ['{{ org.nme | upcase }}', '“org.nme” is not in the data: nothing is shown there'],
    ["{{ 'a' | append: titel }}", '“titel” is not in the data: nothing is shown there'],
  ])('the unknown name in %s gets a warning', (source, expected) => {
    expect(warnings(source)).toEqual([expected])
  })

  test.each([
    '{% if fax %}{{ fax }}{% endif %}',
    "{{ fax | default: 'none' }}",
    '{% unless fax %}x{% endunless %}',
    '{% assign fax = title %}{{ fax }}',
    '{% for link in persona.links %}{{ link.url }}{% endfor %}',
    '{{ persona.links.size }}{{ persona.links.first.label }}',
  ])('%s gets no warning', (source) => {
    expect(warnings(source)).toEqual([])
  })
})

describe('a value stays text wherever a template puts it', () => {
  const values = [
    '<img src="https://x.example/">',
    '"><b>x',
    "'><b>x",
    'x onclick=alert(1) style=color:red',
    '--><b>',
    '{{ email }}',
    'b',
    'b>',
    '/',
    '&lt;b&gt;',
    '</div><p>',
    ']]>',
    '\0<b>',
    '\n<b>',
  ]
  const places = [
    ...[
      '<div>V</div>',
      '<img alt="V" src="https://x.example/a.png">',
      "<img alt='V' src=https://x.example/a.png>",
    ],
    ...[
      '<img alt=V src=https://x.example/a.png>',
      '<div V>x</div>',
      '<div x=V>x</div>',
      '<V>x',
      '<V x=y>x',
      '</V>x',
    ],
    ...[
      '<!-- V -->x',
      '<div lang="V">x</div>',
      '<p>a<V</p>',
      '{% capture a %}<i>V</i>{% endcapture %}{{ a }}x',
    ],
    ...[
      '<td width=V>x',
      '<table><tr><td>V</td></tr></table>',
      '{% assign a = v %}<u>{{ a }}</u>',
      '<b{{ v }}>x',
    ],
    ...[
      "{{ v | split: '' | join: '' }}",
      "{{ v | newline_to_br | append: 'x' }}",
      '{% echo v %}',
      "{% cycle v, 'x' %}",
    ],
    ...[
      "{{ v | escape | replace: '&', '<' }}",
      '<{{ v | append: ">" }}x',
      '<{{ v | slice: 0 }}{{ v | slice: 1, 99 }}>',
    ],
  ]
  const skeleton = (markup: string) =>
    (markup.match(/<\/?[a-z][^>]*>/g) ?? []).map((tag) => tag.replaceAll(/ (?:alt|lang|width)="[^"]*"/g, ''))
  test.each(places)('no value can change the tags of the template %s', (place) => {
    const source = place.replace(/\bV\b|(?<=<)V|V/, '{{ v }}')
    const quiet = skeleton(html(source, { v: '~' }).replaceAll('<br>', ''))
    for (const value of values) {
      const loud = skeleton(html(source, { v: value }).replaceAll('<br>', ''))
      expect([value, ...loud]).toEqual([value, ...quiet])
    }
  })

  test('newline_to_br breaks lines and escapes the rest', () => {
    expect(html('{{ v | newline_to_br }}', { v: 'a<b>\nc' })).toBe('a&lt;b&gt;<br>c')
    expect(compile('x', '{{ bio | newline_to_br }}').text).toBe('one\ntwo')
  })

  test('markup in a `capture` is shown as markup, and filters read the markup as text', () => {
    const capture = '{% capture c %}<b>{{ title }}</b>{% endcapture %}'
    expect(html(`${capture}{{ c }}`)).toBe('<b>Head of R&amp;D</b>')
    expect(html(`${capture}{{ c | upcase }}`)).toBe('HEAD OF R&amp;D')
    expect(html(`${capture}{% if c == 'Head of R&D' %}{{ c.size }}{% endif %}`)).toBe('11')
  })
})

describe('the compiler refuses', () => {
  test.each([
    ['{% include "x" %}', 'there is no tag “include”: a template cannot include another one'],
    ['{% render "x" %}', 'there is no tag “render”: a template cannot include another one'],
    ['{% layout "x" %}', 'there is no tag “layout”: a template cannot include another one'],
    ['{% block x %}{% endblock %}', 'there is no tag “block”: a template cannot include another one'],
    ['{{ title | raw }}', 'there is no filter “raw”: values are always shown as text'],
    ['{{ title | upcse }}', 'there is no filter “upcse”: use one of abs, append'],
    ['{% if title %}', '{% if title %} is not closed'],
    ['{% endif %}', '{% endif %} closes a block that is not open'],
    ['{{ title', '{{ title is not closed'],
    ['{% raw %}x', '{% raw %}x is not closed'],
    ['{% assign %}', 'Liquid cannot read this: '],
    ...['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string', 'sample'].map(
      (filter) => [
        `{{ 'now' | ${filter} }}`,
        `there is no filter “${filter}”: a signature must always be the same`,
      ],
    ),
  ])('the compiler refuses %s: %s', (source, message) => {
    for (const run of [
      () => checkTemplate({ html: `\n ${source}`, text: null }),
      () => compile(`\n ${source}`),
    ]) {
      const found = fault(run)
      expect(found).toMatchObject({ part: 'html', reason: 'syntax', line: 2, column: expect.any(Number) })
      expect(found.message).toContain(message)
    }
    expect(fault(() => checkTemplate({ html: '', text: source! })).part).toBe('text')
  })

  test('no allowed filter or tag reads the clock, random numbers or other templates', async () => {
    const { allowedFilters } = await import('./filters.ts')
    const { allowedTags } = await import('./engine.ts')
    expect(allowedFilters.filter((name) => /date|now|time|sample|rand|raw|json|_exp$/.test(name))).toEqual([
      'times',
    ])
    expect(allowedTags.filter((name) => /include|render|layout|block/.test(name))).toEqual([])
  })

  const chain = (count: number, each: string) => Array.from({ length: count }, () => each).join('')
  test.each([
    ['a huge range', '{% for i in (1..100000000) %}x{% endfor %}'],
    [
      'nested loops over ranges',
      '{% for i in (1..900) %}{% for j in (1..900) %}{% for k in (1..900) %}{% endfor %}{% endfor %}{% endfor %}',
    ],
    [
      'nested loops over one list',
      `{% assign l = '${chain(300, 'a')}' | split: '' %}${chain(4, '{% for i in l %}')}${chain(4, '{% endfor %}')}`,
    ],
    ['a text that doubles', `{% assign a = 'xxxxxxxx' %}${chain(40, '{% assign a = a | append: a %}')}`],
    [
      'a capture that doubles',
      `{% capture a %}xx{% endcapture %}${chain(40, '{% capture a %}{{ a }}{{ a }}{% endcapture %}')}`,
    ],
    ['long output', '{% for i in (1..5000) %}<p>xxxxxxxxxxxxxxxxxxxx</p>{% endfor %}'],
    ['long chains of filters', `{% for i in (1..500) %}{{ '' ${chain(2000, '| upcase')} }}{% endfor %}`],
    ['long conditions', `{% for i in (1..500) %}{% if ${chain(3000, 'a.b or ')} a %}{% endif %}{% endfor %}`],
    [
      'many branches',
      `{% for i in (1..500) %}{% if a %}${chain(1500, '{% elsif a.b %}')}{% endif %}{% endfor %}`,
    ],
    [
      'many cases',
      `{% for i in (1..500) %}{% case a %}{% when ${chain(9000, '1,')}2 %}{% endcase %}{% endfor %}`,
    ],
    ['nested lookups', `{{ ${chain(6000, 'a[')}1${chain(6000, ']')} }}`],
    [
      'a search in long texts',
      `{% assign a = '${chain(9000, 'a')}' %}{% assign b = 'b' | append: a %}{% for i in (1..900) %}{% if a contains b %}{% endif %}{% endfor %}`,
    ],
    ['letters replaced by texts', `{% assign a = '${chain(900, 'a')}' %}{{ a | replace: 'a', a }}`],
  ])('the compiler refuses %s within 1 s of CPU', (_, source) => {
    const refuse = () => expect(fault(() => compile(source)).reason).toMatch(/^(?:limits|too_long)$/)
    expect(cpuOf(refuse, cpuMax)).toBeLessThan(cpuMax)
  })

  const open = (tag: string, count: number) => chain(count, tag)
  test.each([
    ['nested blocks', `${open('{% if email %}', 900)}x${open('{% endif %}', 900)}`],
    ['nested elements', open('<div>', 4900)],
    ['nested formatting', open('<b><i>', 4000)],
    ['nested tables', open('<table><tr><td>', 1600)],
    ['links that are never closed', open('<a href="https://x.example/">', 850)],
    ['lone end tags', open('</p></b>', 3000)],
    ['markup that is split by paragraphs', open('<p><b><i><u>', 2000)],
    ['comments that are never closed', open('<!--', 6000)],
    ['frames', open('<iframe>', 3000)],
    ['attributes', `<div ${Array.from({ length: 2500 }, (_, n) => `a${n}=x`).join(' ')}>`],
    ['styles', `<div style="${open('color:red;', 2400)}">`],
    ['fonts', `<div style="font-family:${open('a ', 12_000)}!">`],
    ['spaces', `a${open(' ', 24_000)}b`],
    ['entities', open('&amp;', 1900)],
    ['text outside of table cells', open('<table>x', 3000)],
  ])('the compiler refuses or compiles %s within 1 s of CPU', (_, source) => {
    const tryOut = () => {
      try {
        compile(source, source)
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateFault)
      }
    }
    expect(cpuOf(tryOut, cpuMax)).toBeLessThan(cpuMax)
  })

  test('the compiler refuses a signature of more than 10,000 characters', () => {
    const [fits, tooLong] = ['x'.repeat(10_000), 'x'.repeat(10_001)]
    expect(compile(fits).size).toBe(10_000)
    expect(compile(fits).warnings.map(({ code }) => code)).toEqual(['long'])
    expect(compile('x'.repeat(7999)).warnings).toEqual([])
    const found = fault(() => compile(tooLong))
    expect(found).toMatchObject({ part: 'html', reason: 'too_long' })
    expect(found.message).toBe('the compiled signature has 10,001 characters; the maximum is 10,000')
    expect(fault(() => checkTemplate({ html: tooLong, text: null })).reason).toBe('too_long')
    expect(fault(() => checkTemplate({ html: '', text: tooLong })).part).toBe('text')
    // Long text in a branch or a comment is accepted, because the result may not contain it.
    checkTemplate({
      html: `{% if a %}${tooLong}{% endif %}<!--${tooLong}-->`,
      text: null,
    })
    expect(fault(() => checkTemplate({ html: ' '.repeat(25_001), text: null })).reason).toBe('too_long')
  })
})

test('sha256 is the hash of the HTML in UTF-8', () => {
  const { html, sha256, size } = compile('<b>ë</b>')
  expect(sha256).toBe(createHash('sha256').update(html, 'utf8').digest('hex'))
  expect(size).toBe(8)
})
