import sanitizeHtml from 'sanitize-html'
import { imageProblem, linkProblem, tidyAddress } from './links.ts'
import { allowedElements, droppedWithContent, nestingMax, patternOf } from './rules.ts'
import { singleSpaced } from './spaces.ts'
import { restoreCharacters, restoreEscaped } from './stand-ins.ts'
import { readStyle } from './style.ts'
import { shortenForMessage, type Warnings } from './warnings.ts'

type Attributes = Record<string, string>

const dropped: ReadonlySet<string> = new Set(droppedWithContent)
/** Elements of a whole page, which are removed without a warning. */
const pageElements: ReadonlySet<string> = new Set(['html', 'body', 'meta', 'link', 'base', 'tbody'])
/** Attributes that each mail program sets itself. */
const decidedByMailPrograms: ReadonlySet<string> = new Set(['rel', 'target'])
const sizeAttributes: ReadonlySet<string> = new Set([
  'width',
  'height',
  'border',
  'cellpadding',
  'cellspacing',
])
const removedElement = 'removed'

// The sanitizer searches this list from its start, so common attributes come first.
const attributes = [
  ...[
    'style',
    'href',
    'src',
    'alt',
    'width',
    'height',
    'cellpadding',
    'cellspacing',
    'border',
    'valign',
    'align',
  ],
  ...['bgcolor', 'colspan', 'dir', 'lang', 'rowspan'],
]
const nonTextTags = [...droppedWithContent]
const common = ['a', 'td', 'div', 'br', 'tr', 'table', 'span', 'b', 'img', 'p', 'tbody']
const elements = [...common, ...[...allowedElements].filter((name) => !common.includes(name))]

/** Removes everything that rules.ts does not allow, with a warning for each removal. tidy.ts is the next step. */
export function sanitize(html: string, warnings: Warnings): string {
  if (/<!--|<!\[|<\?/.test(html))
    warnings.add('comment_removed', 'comments were removed: every recipient would get them')
  let depth = 0
  return sanitizeHtml(html, {
    allowedTags: elements,
    allowedAttributes: { '*': attributes },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https'] },
    allowProtocolRelative: false,
    nonTextTags,
    nestingLimit: nestingMax,
    // style.ts accepts what the rules allow, 20 times as fast as a parser of all of CSS.
    parseStyleAttributes: false,
    transformTags: { '*': (name, attribs) => rebuildTag(name, attribs, warnings) },
    textFilter: (text, parent) => singleSpaced(restoreEscaped(text), parent),
    onOpenTag: () => {
      depth++
      if (depth > nestingMax) {
        warnings.add(
          'nesting',
          `elements are nested more than ${nestingMax} levels deep: deeper elements lost their tags`,
        )
      }
    },
    onCloseTag: () => {
      depth--
    },
  }).replaceAll(' />', '>')
}

function rebuildTag(name: string, given: Attributes, warnings: Warnings): sanitizeHtml.Tag {
  if (!allowedElements.has(name)) {
    if (!pageElements.has(name)) warnings.add('element_removed', elementRemoved(name))
    return { tagName: name, attribs: {} }
  }
  const attribs: Attributes = {}
  for (const [attribute, written] of Object.entries(given)) {
    const value = allowedValue(name, attribute, restoreCharacters(written), warnings)
    if (value !== null) attribs[attribute] = value
  }
  if (name === 'a' && !('href' in attribs)) return { tagName: 'span', attribs }
  if (name === 'img' && !('src' in attribs)) return { tagName: removedElement, attribs: {} }
  return { tagName: name, attribs }
}

function elementRemoved(name: string): string {
  const what = `<${shortenForMessage(name)}>`
  if (name === 'style')
    return `${what} was removed: mail programs ignore style sheets; write style="…" on the elements`
  if (name === 'font' || name === 'center')
    return `${what} was removed: write style="…" on another element instead`
  if (dropped.has(name)) return `${what} was removed with its content: no mail program shows it`
  return `${what} was removed: a signature may contain only text, tables, links and pictures`
}

/** Returns the value of an attribute, or null to remove it. */
function allowedValue(element: string, name: string, given: string, warnings: Warnings): string | null {
  if (name === 'href' && element === 'a') {
    return address(given, linkProblem, 'link_removed', 'a link', warnings)
  }
  if (name === 'src' && element === 'img') {
    return address(given, imageProblem, 'image_removed', 'a picture', warnings)
  }
  if (name === 'alt' && element === 'img')
    return given.replaceAll(/\s+/g, ' ').trim().slice(0, 300).toWellFormed()
  if (name === 'style') return allowedStyle(element, given, warnings)
  if (decidedByMailPrograms.has(name)) return null
  const pattern = patternOf(element, name)
  const value = sizeAttributes.has(name) ? given.trim().replace(/px$/i, '') : given.trim()
  if (pattern?.test(value)) return value
  const why = pattern === undefined ? '' : `: “${shortenForMessage(given)}” is not a valid value`
  warnings.add('attribute_removed', `${shortenForMessage(name)} of <${element}> was removed${why}`)
  return null
}

function address(
  given: string,
  problem: (address: string) => string | null,
  code: string,
  what: string,
  warnings: Warnings,
): string | null {
  const tidy = tidyAddress(given)
  const found = problem(tidy)
  if (found === null) return tidy
  warnings.add(code, `${what}${tidy === '' ? '' : ` (${shortenForMessage(tidy)})`} was removed: ${found}`)
  return null
}

function allowedStyle(element: string, given: string, warnings: Warnings): string | null {
  const { kept, removed, important } = readStyle(given)
  for (const property of removed) {
    warnings.add('style_removed', `the style ${shortenForMessage(property)} of <${element}> was removed`)
  }
  if (important) warnings.add('style_removed', '!important was removed: it has no effect in a signature')
  return kept === '' ? null : kept
}
