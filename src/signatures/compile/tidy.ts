import { serialize } from 'parse5'
import { allowedElements } from './rules.ts'
import { isElement, isText, type Parent, parseBody } from './tree.ts'
import { written } from './written.ts'

// Browsers change the tree of tags: they move content out of tables, close a <p> before a <table>, and add <tbody>. A
// compiled signature has the tree that they make.

const roundsMax = 5

/**
 * Serializes a sanitized tree. If browsers would change the tree, it is parsed and serialized until a repetition changes
 * nothing. null after 5 rounds, which only hostile HTML needs.
 */
export function tidy(sanitized: Parent): { html: string; tree: Parent } | null {
  if (isStable(sanitized)) return { html: written(sanitized), tree: sanitized }
  let before = serialize(sanitized)
  for (let round = 0; round < roundsMax; round++) {
    const tree = parseBody(before)
    const after = written(tree)
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
      if (!isText(node) || !isStableText(node.value, children !== undefined)) return false
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

/** Browsers move text out of tables, except for spaces, and remove U+0000. */
function isStableText(text: string, isInTable: boolean): boolean {
  return isInTable ? /^[ \t\n\f\r]*$/.test(text) : !text.includes('\0')
}

function nextWithin(
  name: string,
  within: 'block' | 'paragraph' | 'link' | 'link in paragraph',
): typeof within {
  if (name === 'a') return within === 'paragraph' ? 'link in paragraph' : 'link'
  if (!/^(?:p|h[1-4])$/.test(name)) return within
  return within === 'link' ? 'link in paragraph' : 'paragraph'
}
