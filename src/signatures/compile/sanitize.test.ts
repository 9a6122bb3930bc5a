import { describe, expect, test } from 'vitest'
import { sanitize } from './sanitize.ts'
import { readStyle } from './style.ts'
import { Warnings } from './warnings.ts'
import { written } from './written.ts'

function read(html: string): { html: string; warnings: string[] } {
  const warnings = new Warnings()
  return { html: written(sanitize(html, warnings)), warnings: warnings.list().map(({ message }) => message) }
}

describe('the sanitizer leaves allowed HTML unchanged', () => {
  test.each([
    '<table width="100%" height="10" align="left" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff"><thead><tr><th colspan="2" rowspan="1">x</th></tr></thead><tbody><tr valign="top"><td align="center" valign="middle" width="50%">y</td></tr></tbody></table>',
    '<p>a <b>b</b> <i>c</i> <strong>d</strong> <em>e</em> <u>f</u> <s>g</s> <small>h</small> <sub>i</sub><sup>j</sup></p>',
    '<h1>a</h1><ul><li>b</li></ul><ol><li>c</li></ol><blockquote>d</blockquote><hr><span>e</span><br>',
    '<div dir="rtl" lang="ar">مرحبا</div><p lang="ja">日本語</p>',
    '<a href="https://x.example/?a=1&amp;b=2#c">a</a><a href="http://x.example/">b</a><a href="mailto:a@x.example?subject=Hi">c</a><a href="tel:+49-30-901820">d</a>',
    '<img src="https://x.example/a.png" alt="" width="10" height="10" border="0">',
    '<img src="https://x.example/a.png" alt="A &quot;b&quot; &amp; c">',
  ])('the sanitizer does not change %s', (html) => {
    expect(read(html)).toEqual({ html, warnings: [] })
  })
})

describe('the sanitizer removes, with a warning', () => {
  test.each([
    ['<script>alert(1)</script>x', 'x', '<script> was removed with its content: no mail program shows it'],
    [
      '<style>b{}</style>x',
      'x',
      '<style> was removed: mail programs ignore style sheets; write style="…" on the elements',
    ],
    ['<svg><text>a</text></svg>x', 'x', '<svg> was removed with its content: no mail program shows it'],
    ['<iframe src=x>a</iframe>x', 'x', '<iframe> was removed with its content: no mail program shows it'],
    ['<font color=red>x</font>', 'x', '<font> was removed: write style="…" on another element instead'],
    [
      '<section>x</section>',
      'x',
      '<section> was removed: a signature may contain only text, tables, links and pictures',
    ],
    ['a<!-- b -->c', 'ac', 'comments were removed: every recipient would get them'],
    ['<!--[if mso]>a<![endif]-->c', 'c', 'comments were removed: every recipient would get them'],
    ['<b onclick="x()">a</b>', '<b>a</b>', 'onclick of <b> was removed'],
    ['<b class=x>a</b>', '<b>a</b>', 'class of <b> was removed'],
    ['<b id=x>a</b>', '<b>a</b>', 'id of <b> was removed'],
    ['<td width="many">a</td>', '<td>a</td>', 'width of <td> was removed: “many” is not a valid value'],
    [
      '<a href="javascript:alert(1)">a</a>',
      '<span>a</span>',
      'a link (javascript:alert(1)) was removed: the address of a link must begin with https://, http://, mailto: or tel:',
    ],
    [
      '<a href="//x.example">a</a>',
      '<span>a</span>',
      'a link (//x.example) was removed: the address of a link must begin with https://, http://, mailto: or tel:',
    ],
    [
      '<a href="https://u@x.example">a</a>',
      '<span>a</span>',
      'a link (https://u@x.example) was removed: its address contains a user name',
    ],
    ['<a href="">a</a>', '<span>a</span>', 'a link was removed: it has no address'],
    [
      '<a href="tel:call me">a</a>',
      '<span>a</span>',
      'a link (tel:call%20me) was removed: it is not a telephone number',
    ],
    [
      '<a href="mailto:me">a</a>',
      '<span>a</span>',
      'a link (mailto:me) was removed: it is not an e-mail address',
    ],
    [
      '<img src="http://x.example/a.png">',
      '',
      'a picture (http://x.example/a.png) was removed: the address of a picture must begin with https://',
    ],
    [
      '<img src="data:image/png;base64,AA">',
      '',
      'a picture (data:image/png;base64,AA) was removed: a picture must be on the web: mail programs show no embedded pictures in signatures',
    ],
    [
      '<img src="cid:a">',
      '',
      'a picture (cid:a) was removed: a picture must be on the web: mail programs show no embedded pictures in signatures',
    ],
    ['<b style="position:fixed">a</b>', '<b>a</b>', 'the style position of <b> was removed'],
    [
      '<b style="color:red!important">a</b>',
      '<b style="color:red">a</b>',
      '!important was removed: it has no effect in a signature',
    ],
  ])('the sanitizer removes a part of %s and warns of it', (source, html, warning) => {
    expect(read(source)).toEqual({ html, warnings: [warning] })
  })

  test('an element after a removed picture keeps its end tag', () => {
    expect(read('<img src="x"><div>a</div>b').html).toBe('<div>a</div>b')
  })

  test('repeated removals get one warning, and there are at most 50 warnings', () => {
    expect(read('<b class=x>a</b>'.repeat(3)).warnings).toHaveLength(1)
    expect(read(Array.from({ length: 200 }, (_, n) => `<b a${n}=x>a</b>`).join('')).warnings).toHaveLength(50)
  })

  test('page elements, rel and target are removed without a warning', () => {
    const page = '<html><body><a href="https://x.example/" target="_blank" rel="noopener">a</a></body></html>'
    expect(read(page)).toEqual({ html: '<a href="https://x.example/">a</a>', warnings: [] })
  })
})

describe('styles', () => {
  test.each([
    'color:#0a7',
    'color:rgb(0, 10, 20)',
    'background-color:rgba(0,10,20,.5)',
    'background:transparent',
    'font-family:Arial,Helvetica Neue,sans-serif',
    "font-family:'Segoe UI','ヒラギノ角ゴ Pro W3',sans-serif",
    'font:italic bold 13px/1.4 Arial,sans-serif',
    'font-size:13.5px',
    'font-weight:600',
    'line-height:1.45',
    'letter-spacing:.5px'.replace('.5', '0.5'),
    'padding:0 12px 0 0',
    'margin:0 auto',
    'margin-top:8px',
    'border:1px solid #ddd',
    'border-left:2px solid rgb(1,2,3)',
    'border-top-color:#ddd',
    'border-radius:50%',
    'border-collapse:collapse',
    'width:100%',
    'max-width:480px',
    'height:auto',
    'display:inline-block',
    'vertical-align:top',
    'text-align:right',
    'text-decoration:none',
    'text-transform:uppercase',
    'white-space:nowrap',
    'direction:rtl',
  ])('the style %s stays', (style) => {
    expect(readStyle(style)).toEqual({ kept: style, removed: [], important: false })
  })

  test.each([
    'background:url(https://x.example/)',
    'background:URL(x)',
    'background-image:none',
    'color:expression(alert(1))',
    'color:\\72 ed',
    'c\\6flor:red',
    'color:red}b{color:blue',
    'color:/**/red',
    'color:var(--x)',
    'width:calc(1px + 1px)',
    '--x:red',
    'position:absolute',
    'display:none',
    'margin:-10px',
    'float:left',
    'content:"x"',
    'behavior:url(x)',
    '-moz-binding:url(x)',
    'font-family:"a',
    "font-family:'a;b'",
    'font-family:a@b',
    'font-size:99999px',
    'color',
    'constructor:red',
    '__proto__:red',
    '<b>:red',
  ])('the style %s is removed', (style) => {
    const { kept, removed } = readStyle(style)
    expect(kept).toBe('')
    expect(removed.length).toBeGreaterThan(0)
  })

  test('allowed declarations stay in their order when another one is removed', () => {
    const style = ' COLOR : Red ;; position:fixed; padding :  0   2px;'
    expect(readStyle(style)).toEqual({
      kept: 'color:Red;padding:0 2px',
      removed: ['position'],
      important: false,
    })
  })
})
