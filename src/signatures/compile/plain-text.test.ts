import { expect, test } from 'vitest'
import { textOfTree, tidyText } from './plain-text.ts'
import { parseBody } from './tree.ts'

test.each([
  ['a<br>b<br><br>c', 'a\nb\n\nc'],
  ['<div>a</div><div>b</div>', 'a\nb'],
  ['<p>a</p><p>b</p>c', 'a\n\nb\n\nc'],
  ['<b>a</b> <i>b</i>', 'a b'],
  ['a&nbsp;&amp; b &lt;c&gt; &euro;', 'a & b <c> €'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td></td><td>c</td></tr></table>', 'a b\nc'],
  ['<table><tr><td>a<br>b</td><td>c</td></tr></table>d', 'a\nb\nc\nd'],
  ['<img src="https://x.example/" alt="Acme"> <img src="https://x.example/">x', 'Acme x'],
  ['<a href="https://acme.example/team">Our team</a>', 'Our team (https://acme.example/team)'],
  ['<a href="https://acme.example/">acme.example</a>', 'acme.example'],
  ['<a href="https://www.acme.example">https://acme.example/</a>', 'https://acme.example/'],
  ['<a href="mailto:a@acme.example">a@acme.example</a>', 'a@acme.example'],
  ['<a href="mailto:a@acme.example">Write to me</a>', 'Write to me (a@acme.example)'],
  ['<a href="tel:+4930901820">+49 (30) 90-18 20</a>', '+49 (30) 90-18 20'],
  ['<a href="tel:+4930901820">+49 (0)30 901820</a>', '+49 (0)30 901820'],
  ['<a href="tel:+4930901820">+49 30 901821</a>', '+49 30 901821 (+4930901820)'],
  [
    '<a href="https://acme.example"><img src="https://x.example/" alt="Acme"></a>',
    'Acme (https://acme.example)',
  ],
  ['<a href="https://acme.example"><img src="https://x.example/" alt=""></a>', 'https://acme.example'],
  ['a<span> <i> b</i> </span><a href="https://acme.example"> c</a>', 'a b c (https://acme.example)'],
  ['<img src="https://x.example/" alt="Acme">Acme Ltd', 'Acme Ltd'],
  ['<ul><li>a</li><li>b</li></ul>', 'a\nb'],
  ['  \n <div>\n  a\n  b </div>\n ', 'a b'],
])('the plain text of %s is right', (html, text) => {
  expect(textOfTree(parseBody(html))).toBe(text)
})

test('plain text has no control characters, no spaces at line ends, and at most one blank line in a row', () => {
  expect(tidyText('\n a \r\n\r\n\r\n\r\nb\0\x07\x9f\tc\u2028\ud800 ')).toBe('a\n\nb\tc\u2028\ufffd')
})
