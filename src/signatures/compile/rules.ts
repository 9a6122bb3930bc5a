// The elements, attributes and styles that a signature may contain. Most mail programs support little more than
// tables, inline styles and remote pictures.

const text = [
  'b',
  'blockquote',
  'br',
  'div',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'hr',
  'i',
  'li',
  'ol',
  'p',
  's',
] as const
const moreText = ['small', 'span', 'strong', 'sub', 'sup', 'u', 'ul'] as const

export const allowedElements: ReadonlySet<string> = new Set([
  ...['a', 'img', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', ...text, ...moreText],
])

/** Elements that are removed together with their content, which is not text or not visible. */
export const droppedWithContent: readonly string[] = [
  ...[
    'applet',
    'audio',
    'canvas',
    'embed',
    'frameset',
    'head',
    'iframe',
    'math',
    'noembed',
    'noframes',
    'noscript',
  ],
  ...[
    'object',
    'option',
    'plaintext',
    'script',
    'select',
    'style',
    'svg',
    'template',
    'textarea',
    'title',
    'video',
  ],
  ...['xmp'],
]

/** The maximum nesting of elements. Deeper elements lose their tags. */
export const nestingMax = 40

const number = /^\d{1,4}$/
const length = /^\d{1,4}%?$/
const smallNumber = /^\d{1,2}$/
const color = /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,20}|rgba?\([\d.,%\s]{5,40}\))$/i
const side = /^(?:left|center|right|justify)$/i
const vertical = /^(?:top|middle|bottom|baseline)$/i
const direction = /^(?:ltr|rtl|auto)$/i
const language = /^[a-z]{2,8}(?:-[a-z\d]{1,8}){0,3}$/i

const cell = { width: length, height: length, align: side, valign: vertical, bgcolor: color }
const tableCell = { ...cell, colspan: smallNumber, rowspan: smallNumber }
const table = { width: length, height: length, align: side, bgcolor: color }
const block = { align: side }

type Patterns = Record<string, RegExp>

const everywhere: Patterns = { dir: direction, lang: language }

/** Attributes that an element may have besides `href` and `src`. */
const byElement: Record<string, Patterns> = {
  table: { ...table, cellpadding: smallNumber, cellspacing: smallNumber, border: smallNumber },
  thead: block,
  tbody: block,
  tfoot: block,
  tr: cell,
  td: tableCell,
  th: tableCell,
  div: block,
  p: block,
  hr: { width: length, align: side },
  img: { width: number, height: number, border: smallNumber, align: /^(?:left|right|top|middle|bottom)$/i },
}

/** Returns the pattern of the attribute `name` of `element`; undefined if the element may not have it. */
export function patternOf(element: string, name: string): RegExp | undefined {
  if (Object.hasOwn(everywhere, name)) return everywhere[name]
  const patterns = Object.hasOwn(byElement, element) ? byElement[element] : undefined
  return patterns && Object.hasOwn(patterns, name) ? patterns[name] : undefined
}

const size = /(?:0|\d{1,4}(?:\.\d{1,3})?(?:px|pt|em|rem|%))/
const line = /(?:none|hidden|solid|dashed|dotted|double)/
const colorWords = /(?:#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})|rgba?\([\d.,%\s]{5,40}\)|[a-z]{3,20})/
const borderWidth = /(?:0|\d{1,2}(?:\.\d{1,3})?(?:px|pt|em)|thin|medium|thick)/
const family =
  /(?:[\p{L}_-][\p{L}\p{N}_-]*(?: [\p{L}\p{N}_-]+){0,5}|'[\p{L}\p{N} ._-]{1,60}'|"[\p{L}\p{N} ._-]{1,60}")/u
const families = `${family.source}(?: ?, ?${family.source}){0,11}`

const wholeValue = (...sources: (string | RegExp)[]) =>
  new RegExp(
    `^(?:${sources.map((each) => (typeof each === 'string' ? each : each.source)).join('|')})$`,
    'iu',
  )
const upTo = (one: RegExp, most: number) => `${one.source}(?: ${one.source}){0,${most - 1}}`
const words = (...all: string[]) => wholeValue(all.join('|'))

const sizes = wholeValue(size, 'auto')
const borderLine = `(?:${borderWidth.source}|${line.source}|${colorWords.source})`
const border = wholeValue(`${borderLine}(?: ${borderLine}){0,2}`)
const colors = wholeValue(colorWords)
const sides = ['top', 'right', 'bottom', 'left'] as const
const forSides = (property: string, pattern: RegExp, suffix = '') =>
  Object.fromEntries(sides.map((each) => [`${property}-${each}${suffix}`, pattern]))

/** The allowed properties of `style`, with the patterns of their values. Values contain only single spaces. */
const properties: Patterns = {
  'background-color': colors,
  background: colors,
  border,
  ...forSides('border', border),
  'border-collapse': words('collapse', 'separate'),
  'border-color': wholeValue(upTo(colorWords, 4)),
  ...forSides('border', colors, '-color'),
  'border-radius': wholeValue(upTo(size, 4)),
  'border-spacing': wholeValue(upTo(size, 2)),
  'border-style': wholeValue(upTo(line, 4)),
  ...forSides('border', wholeValue(line), '-style'),
  'border-width': wholeValue(upTo(borderWidth, 4)),
  ...forSides('border', wholeValue(borderWidth), '-width'),
  color: colors,
  direction: words('ltr', 'rtl'),
  display: words('block', 'inline', 'inline-block', 'table', 'table-row', 'table-cell'),
  font: wholeValue(
    `(?:(?:normal|italic|bold|bolder|lighter|[1-9]00) ){0,2}${size.source}(?:/(?:${size.source}|\\d(?:\\.\\d{1,3})?))? ${families}`,
  ),
  'font-family': wholeValue(families),
  'font-size': wholeValue(size, '(?:x{1,2}-)?(?:small|large)|medium|smaller|larger'),
  'font-style': words('normal', 'italic', 'oblique'),
  'font-variant': words('normal', 'small-caps'),
  'font-weight': words('normal', 'bold', 'bolder', 'lighter', '[1-9]00'),
  height: sizes,
  'letter-spacing': wholeValue('normal|0', '-?\\d{1,2}(?:\\.\\d{1,3})?(?:px|pt|em)'),
  'line-height': wholeValue('normal', size, '\\d(?:\\.\\d{1,3})?'),
  'list-style-type': words('none', 'disc', 'circle', 'square', 'decimal', 'lower-alpha', 'upper-alpha'),
  margin: wholeValue(upTo(new RegExp(`(?:${size.source}|auto)`), 4)),
  ...forSides('margin', sizes),
  'max-height': wholeValue(size, 'none'),
  'max-width': wholeValue(size, 'none'),
  'min-height': wholeValue(size),
  'min-width': wholeValue(size),
  'overflow-wrap': words('normal', 'anywhere', 'break-word'),
  padding: wholeValue(upTo(size, 4)),
  ...forSides('padding', wholeValue(size)),
  'text-align': words('left', 'right', 'center', 'justify', 'start', 'end'),
  'text-decoration': wholeValue('none', '(?:underline|line-through|overline)(?: (?:solid|dotted|dashed))?'),
  'text-transform': words('none', 'uppercase', 'lowercase', 'capitalize'),
  'vertical-align': wholeValue('top|middle|bottom|baseline|text-top|text-bottom|sub|super'),
  'white-space': words('normal', 'nowrap'),
  width: sizes,
  'word-break': words('normal', 'break-all', 'break-word', 'keep-all'),
}

/** Returns the pattern of the style `property`; undefined if it is not allowed. */
export function stylePatternOf(property: string): RegExp | undefined {
  return Object.hasOwn(properties, property) ? properties[property] : undefined
}

/** Elements that start on a new line. */
export const blocks: ReadonlySet<string> = new Set([
  ...['blockquote', 'div', 'h1', 'h2', 'h3', 'h4', 'hr', 'li', 'ol', 'p', 'ul'],
  ...['table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
])
