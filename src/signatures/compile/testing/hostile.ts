import fc from 'fast-check'
import type { SignatureData } from '../signature-data.ts'

// Templates and data that an attacker could send, and templates with mistakes.

const fragments = (text: string) => text.split(/ {2,}|\n/).filter((each) => each !== '')

const nasty = [
  ...[
    '<a href=" java\tscript:alert(1)">',
    '\\75rl(x)',
    '\0',
    '\u2028',
    '\ud800',
    '\u202e',
    '\ufeff',
    '`',
    '<a ',
    '\r\n',
    ' ',
  ],
  ...fragments(`
  <script>  </script>  <style>  </style>  <svg>  </svg>  <math>  <mtext>  <mglyph>  <template>  </template>
  <noscript>  </noscript>  <noscript><p title="</noscript><img src=x onerror=alert(1)>">  <select>  <option>
  </select>  <textarea>  </textarea>  <title>  <xmp>  <plaintext>  <iframe>  <table>  </table>  <tr>  </tr>
  <td>  </td>  <th>  <tbody>  <caption>  <colgroup>  <col>  <p>  </p>  <a href="https://a.example/">  </a>
  <b>  </b>  <i>  </i>  <div>  </div>  <form>  <h1>  </h1>  <li>  <ul>  <button>  <nobr>  <font color=red>
  <center>  <body onload=x>  <html>  <!--  -->  <!-->  --!>  <![CDATA[  ]]>  <!--[if mso]>  <![endif]-->
  <!doctype html>  <?xml ?>  <img src=x onerror=alert(1)>  <img src="https://p.example/a.png" alt="a">
  <img src="http://p.example/">  <a href="javascript:alert(1)">  <a href="&#106;avascript:alert(1)">
  <a href="data:text/html,x">  <a href="vbscript:x">  <a href="//x.example">  <a href="mailto:a@b.example">
  <a href="tel:+4930">  <a href="https://u:p@x.example/">  <img src="data:image/png;base64,AAAA">
  <div style="  <td style='  color:red;  background:url(https://x.example/);  position:fixed;  ">  '>
  width:expression(alert(1));  @import "x";  color:red!important;  font-family:"a;b";  /*  */
  behavior:url(x);  -moz-binding:url(x);  display:none;  <div class=x id=y>  <td width=10 background=x>
  &lt;script&gt;  &#60;img&#62;  &amp;lt;  &nbsp;  &#0;  &#x110000;  &colon;  &NewLine;  "  '  =  /  >  <
  </  <a  <!  &  text
  <mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">
  <svg></p><style><a id="</style><img src=1 onerror=alert(1)>">
  <form><math><mtext></form><form><mglyph><style>
`),
]

const names = fragments(`
  name  email  org.name  persona.role  fields  org  a  list  nothing  constructor  __proto__
`)
const moreNames = fragments(`
  planted  org.planted  email.planted  fields.constructor.prototype  org.__proto__.planted
  process['env'].PLANTED  globalThis  forloop.planted  email.size  persona.constructor.constructor
`)

const liquid = [
  ...[...names, ...moreNames].flatMap((name) => [
    `{{ ${name} }}`,
    `<a href="{{ ${name} }}">`,
    `<div title={{ ${name} }}>`,
  ]),
  ...names.map((name) => `<{{ ${name} }} style="color:{{ ${name} }}">`),
  ...fragments(`
  {% for i in (1..3) %}  {% for i in (1..100000000) %}  {% for i in list %}  {% for i in fields %}
  {% endfor %}  {% if name %}  {% else %}  {% endif %}  {% unless a %}  {% endunless %}  {% case name %}
  {% when 1 %}  {% endcase %}  {% capture a %}  {% endcapture %}  {% capture __proto__ %}
  {% assign a = name %}  {{ i }}  {% assign list = name | split: '' %}  {% assign a = a | append: a %}
  {% assign __proto__ = org %}  {% assign constructor = name %}  {% increment a %}
  {% decrement __proto__ %}  {% cycle name, '<b>' %}  {% echo name %}  {% echo a %}  {% liquid echo name %}
  {% raw %}  {% endraw %}  {% comment %}  {% endcomment %}  {{ '<img src=x onerror=alert(1)>' }}
  {{ name | newline_to_br }}  {{ name | escape }}  {{ a | url_encode }}  {{ name | replace: 'x', name }}
  {{ 'x' | append: name | upcase }}  {{ list | join: a }}  {{ list | sort | map: "size" }}
  {{ name | split: '' | reverse | join: '' }}  {{ org | map: "planted" }}  {{ list | where: "constructor" }}
  {{ 1 | times: 1e308 }}  {{ name | slice: -1, 99999999 }}  {{ name | truncate: 3 }}  {% break %}
  {% continue %}  {%- -%}  {{  }}  {%  %}  {{ 'now' | date }}
  {{ forloop.constructor }}{{ forloop.index }}{{ forloop }}{{ a.valueOf }}{{ empty.planted }}{{ blank.constructor }}
  {% render "x" %}  {% include name %}  {{ name | raw }}  {{ name | sample }}  {{ name | unknown }}
`),
]

const some = (fragments: string[], maxLength: number) =>
  fc.array(fc.constantFrom(...fragments), { maxLength }).map((all) => all.join(''))
const wellFormedFragments = liquid.filter(
  (each) =>
    !/\{%(?!.*%\})|\{\{(?!.*\}\})|raw|sample|unknown|date|render|include|100000000/.test(each) &&
    !each.startsWith('{% e') &&
    !/^\{% (?:for|if|unless|case|when|capture|comment|liquid)/.test(each) &&
    !/^(?:\}\}|%\})$/.test(each),
)
const blocks: [string, string][] = [
  ...([
    ['{% for i in (1..3) %}', '{% endfor %}'],
    ['{% for i in list %}', '{% endfor %}'],
  ] as [string, string][]),
  ...([
    ['{% if name %}', '{% endif %}'],
    ['{% capture a %}', '{% endcapture %}'],
  ] as [string, string][]),
  ...([
    ['<table><tr><td>', '</td></tr></table>'],
    ['{% unless nothing %}', '{% endunless %}'],
  ] as [string, string][]),
]
const flat = some([...nasty, ...wellFormedFragments], 8)
const nested = fc
  .array(fc.tuple(flat, fc.constantFrom(...blocks), flat), { maxLength: 3 })
  .map((levels) =>
    levels.reduce(
      (within, [before, [open, close], after]) => `${before}${open}${within}${close}${after}`,
      'text',
    ),
  )
export const templates = fc.oneof(
  { weight: 4, arbitrary: nested },
  { weight: 3, arbitrary: flat },
  { weight: 2, arbitrary: some([...nasty, ...liquid], 14) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...nasty, ...liquid), fc.integer({ min: 1, max: 400 }))
      .map(([each, n]) => each.repeat(n)),
  },
)
const values = fc.oneof(
  some(nasty, 4),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('now', 'x'),
)
export const everyData: fc.Arbitrary<SignatureData> = fc.record({
  email: values,
  display_name: values,
  fields: fc.dictionary(
    fc.constantFrom('name', 'a', 'email', 'persona', '__proto__', 'constructor', 'size', 'list', 'toString'),
    values,
  ),
  persona: fc.oneof(fc.constant(null), fc.record({ role: values, list: fc.array(values, { maxLength: 3 }) })),
  org: fc.record({ name: values }),
})

export const texts = fc.option(some([...nasty, ...liquid], 6))
