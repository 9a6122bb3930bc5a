import { allowedElements, patternOf } from './rules.ts'
import { singleSpaced } from './spaces.ts'
import {
  type Element,
  escapeAttribute,
  escapeText,
  isElement,
  isText,
  type Parent,
  parseBody,
} from './tree.ts'

// Browsers change the tree of tags: they move content out of tables, close a <p> before a <table>, and add <tbody>. A
// compiled signature has the tree that they make.

const roundsMax = 5
const withoutEnd: ReadonlySet<string> = new Set(['br', 'hr', 'img'])

/**
 * Parses and serializes sanitized `html` until a repetition changes nothing. null after 5 rounds, which only hostile
 * HTML needs.
 */
export function tidy(html: string): { html: string; tree: Parent } | null {
  let before = html
  for (let round = 0; round < roundsMax; round++) {
    const tree = parseBody(before)
    const after = written(tree, false)
    if (after === before || isStable(tree)) return { html: after, tree }
    before = after
  }
  return null
}

const inTable: Record<string, ReadonlySet<string>> = {
  table: new Set(['tbody', 'tfoot', 'thead']),
  tbody: new Set(['tr']),
  tfoot: new Set(['tr']),
  thead: new Set(['tr']),
  tr: new Set(['td', 'th']),
}
const endParagraph: ReadonlySet<string> = new Set([
  ...['blockquote', 'div', 'h1', 'h2', 'h3', 'h4', 'hr', 'li', 'ol', 'p', 'table', 'ul'],
])

/**
 * Whether serializing and parsing the tree again would change nothing (HTML standard, 13.2.6). Nearly every signature
 * passes, and needs no second parse.
 */
function isStable(
  parent: Parent,
  within: 'block' | 'paragraph' | 'link' | 'link in paragraph' = 'block',
): boolean {
  const children = inTable[parent.nodeName]
  for (const node of parent.childNodes) {
    if (!isElement(node)) {
      if (children !== undefined && !(isText(node) && /^[ \t\n\f\r]*$/.test(node.value))) return false
      continue
    }
    const name = node.tagName
    if (!allowedElements.has(name) || (children !== undefined && !children.has(name))) return false
    if (children === undefined && (name in inTable ? name !== 'table' : name === 'td' || name === 'th'))
      return false
    if (name === 'li' && parent.nodeName !== 'ul' && parent.nodeName !== 'ol') return false
    if (name === 'a' && within.startsWith('link')) return false
    if (within.endsWith('paragraph') && endParagraph.has(name)) return false
    if (!isStable(node, nextWithin(name, within))) return false
  }
  return true
}

function nextWithin(
  name: string,
  within: 'block' | 'paragraph' | 'link' | 'link in paragraph',
): typeof within {
  if (name === 'a') return within === 'paragraph' ? 'link in paragraph' : 'link'
  if (!/^(?:p|h[1-4])$/.test(name)) return within
  return within === 'link' ? 'link in paragraph' : 'paragraph'
}

function written(parent: Parent, inLink: boolean): string {
  let out = ''
  for (const node of parent.childNodes) {
    if (isText(node)) out += singleSpaced(escapeText(node.value), parent.nodeName)
    else if (isElement(node)) out += writtenElement(node, inLink)
  }
  return out
}

function writtenElement(element: Element, inLink: boolean): string {
  const name = element.tagName
  const within = () => written(element, inLink || name === 'a')
  // sanitize.ts has already removed these elements. This is a second check.
  if (!allowedElements.has(name) || (inLink && name === 'a')) return within()
  let out = `<${name}`
  for (const attribute of element.attrs) {
    if (mayHaveAttribute(name, attribute.name))
      out += ` ${attribute.name}="${escapeAttribute(attribute.value)}"`
  }
  return withoutEnd.has(name) ? `${out}>` : `${out}>${within()}</${name}>`
}

function mayHaveAttribute(element: string, name: string): boolean {
  if (name === 'href') return element === 'a'
  if (name === 'src' || name === 'alt') return element === 'img'
  return name === 'style' || patternOf(element, name) !== undefined
}
