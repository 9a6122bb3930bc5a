import { Parser } from 'htmlparser2'
import { imageProblem, linkProblem, tidyAddress } from './links.ts'
import { allowedElements, droppedWithContent, nestingMax, patternOf } from './rules.ts'
import { singleSpaced } from './spaces.ts'
import { restoreCharacters } from './stand-ins.ts'
import { readStyle } from './style.ts'
import {
  type Attribute,
  appendElement,
  appendText,
  isElement,
  type Node,
  newTree,
  type Parent,
} from './tree.ts'
import { shortenForMessage, type Warnings } from './warnings.ts'

type Attributes = Record<string, string>
type Tag = { name: string; attributes: Attribute[] }

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

/**
 * Reads `html`, and returns the tree of what rules.ts allows. Adds a warning for each removal. tidy.ts is the next step.
 */
export function sanitize(html: string, warnings: Warnings): Parent {
  if (/<!--|<!\[|<\?/.test(html))
    warnings.add('comment_removed', 'comments were removed: every recipient would get them')
  const root = newTree()
  /** For each open tag outside of dropped content: where its content goes. */
  const parents: Parent[] = [root]
  /** The number of open tags from the outermost one that is dropped with its content. */
  let droppedTags = 0
  const added = new Set<Node>()
  /** The <tbody> that browsers add around rows of a table without one. */
  function rowsOf(table: Parent): Parent {
    const last = table.childNodes.at(-1)
    if (last !== undefined && isElement(last) && added.has(last)) return last
    const rows = appendElement(table, 'tbody', [])
    added.add(rows)
    return rows
  }
  const parser = new Parser({
    onopentag(name, given) {
      const depth = parents.length + droppedTags
      if (depth > nestingMax) {
        warnings.add(
          'nesting',
          `elements are nested more than ${nestingMax} levels deep: deeper elements lost their tags`,
        )
      }
      if (droppedTags > 0) {
        droppedTags++
        return
      }
      const parent = parents.at(-1)!
      const tag = allowedTag(name, given, warnings)
      if (tag === null && dropped.has(name)) droppedTags = 1
      else if (tag === null || depth > nestingMax) parents.push(parent)
      else {
        const isRow = tag.name === 'tr' && parent.nodeName === 'table'
        parents.push(appendElement(isRow ? rowsOf(parent) : parent, tag.name, tag.attributes))
      }
    },
    ontext(text) {
      if (droppedTags > 0) return
      const parent = parents.at(-1)!
      appendText(parent, singleSpaced(restoreCharacters(text), parent.nodeName))
    },
    onclosetag() {
      if (droppedTags > 0) droppedTags--
      else parents.pop()
    },
  })
  parser.end(html)
  return root
}

/** Returns the tag with the allowed attributes; null to remove it. */
function allowedTag(name: string, given: Attributes, warnings: Warnings): Tag | null {
  if (!allowedElements.has(name)) {
    if (!pageElements.has(name)) warnings.add('element_removed', elementRemoved(name))
    return null
  }
  const attributes: Attribute[] = []
  for (const attribute of Object.keys(given)) {
    const value = allowedValue(name, attribute, restoreCharacters(given[attribute]!), warnings)
    if (value !== null) attributes.push({ name: attribute, value })
  }
  const has = (wanted: string) => attributes.some((each) => each.name === wanted)
  if (name === 'a' && !has('href')) return { name: 'span', attributes }
  return name === 'img' && !has('src') ? null : { name, attributes }
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
    return given.replaceAll(/\s+/g, ' ').replaceAll('\0', '\ufffd').trim().slice(0, 300).toWellFormed()
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
