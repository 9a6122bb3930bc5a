import { expect, test } from 'vitest'
import { canonicalHtml } from './canonical.ts'

const installed =
  '<table cellpadding="0" style="border-collapse:collapse;color:#0a7"><tbody><tr><td style="padding:0 12px 0 0"><img src="https://x.example/a.png" alt="Zoë" width="96" height="96"></td><td><b>Zoë &amp; Co</b><br><a href="https://x.example/?a=1&amp;b=2">Web</a> <i>x</i></td></tr></tbody></table>'

const same: [what: string, html: string][] = [
  ['itself', installed],
  ['quotes', installed.replaceAll('"', "'")],
  ['the order of attributes', installed.replace('width="96" height="96"', 'height="96" width="96"')],
  ['self-closing tags', installed.replace('<br>', '<br />').replace('height="96">', 'height="96"/>')],
  ['capitals in names', installed.replaceAll('td', 'TD').replace('cellpadding', 'CellPadding')],
  ['entities', installed.replaceAll('&amp;', '&#38;').replaceAll('ë', '&euml;')],
  ['an unescaped &', installed.replace('a=1&amp;b', 'a=1&b')],
  [
    'spaces between tags',
    installed.replaceAll('<td', '\n  <td').replace('<tbody>', ' <tbody>\n').concat('\n'),
  ],
  ['spaces around a line break', installed.replace('<br>', ' <br>\n')],
  ['no <tbody>', installed.replace('<tbody>', '').replace('</tbody>', '')],
  [
    'spaces in styles',
    installed
      .replace('collapse:collapse;color:', 'collapse: collapse; COLOR :  ')
      .replace('12px 0 0', '12px 0px  0px;'),
  ],
  ['color formats', installed.replace('#0a7', 'rgb(0, 170, 119)')],
  ['the long form of a color', installed.replace('#0a7', '#00AA77')],
  ['rel and target', installed.replace('<a ', '<a target="_blank" rel="noopener" ')],
  ['a class', installed.replace('<table ', '<table class="gmail-x" ')],
  ['a wrapper', `<div dir="ltr">${installed}</div>`],
  ['two wrappers', `<div dir="ltr">\n<div dir="ltr" class="gmail_signature">${installed}</div></div>`],
  ['a comment', installed.replace('Co<', 'C<!-- x -->o<')],
  ['the host in capitals', installed.replace('https://x.example/?', 'https://X.example/?')],
]

const different: [what: string, html: string][] = [
  ['text', installed.replace('Co<', 'Co.<')],
  ['the case of text', installed.replace('Zoë &amp; Co', 'zoë &amp; co')],
  ['a visible space', installed.replace('</a> <i>', '</a><i>')],
  ['a no-break space', installed.replace('</a> <i>', '</a>&nbsp;<i>')],
  ['the address of a link', installed.replace('b=2', 'b=3')],
  ['http for https', installed.replace('https://x.example/?', 'http://x.example/?')],
  ['the case of a path', installed.replace('a.png', 'A.png')],
  ['a missing picture', installed.replace(/<img[^>]*>/, '')],
  ['the alt of a picture', installed.replace('alt="Zoë"', 'alt=""')],
  ['a missing alt', installed.replace(' alt="Zoë"', '')],
  ['the size of a picture', installed.replace('width="96"', 'width="95"')],
  ['a color', installed.replace('#0a7', '#0a8')],
  ['a missing style', installed.replace(';color:#0a7', '')],
  ['a missing line break', installed.replace('<br>', '')],
  ['another element', installed.replaceAll('b>', 'strong>')],
  ['a right-to-left wrapper', `<div dir="rtl">${installed}</div>`],
  ['a wrapper with a style', `<div dir="ltr" style="color:red">${installed}</div>`],
  ['an element after it', `${installed}<div>more</div>`],
  ['an added link', installed.replace('<i>x</i>', '<a href="https://x.example/">x</a>')],
]

test.each(same)('%s makes no difference to the canonical form', (_, html) => {
  expect(canonicalHtml(html)).toBe(canonicalHtml(installed))
})

test.each(different)('%s changes the canonical form', (_, html) => {
  expect(html).not.toBe(installed)
  expect(canonicalHtml(html)).not.toBe(canonicalHtml(installed))
})
