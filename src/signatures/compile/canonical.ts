import { canonicalStyle } from './canonical-style.ts'
import { blocks } from './rules.ts'
import {
  type Element,
  escapeAttribute,
  escapeText,
  isElement,
  isText,
  type Node,
  type Parent,
  parseBody,
} from './tree.ts'

const lineBreakingElements: ReadonlySet<string> = new Set([...blocks, 'br'])
const withoutEnd: ReadonlySet<string> = new Set(['area', 'br', 'col', 'embed', 'hr', 'img', 'input', 'wbr'])
/** Attributes that mail programs add, and that readers do not see. */
const ignoredAttributes = /^(?:class|id|rel|target|data-.*)$/

/**
 * Gives the same result for signatures that look the same, so that the signature in a mailbox can be compared with
 * the sent one. Ignores comments, class and rel, the form of attributes, entities and colors, and Gmail's <div
 * dir="ltr">. A different text, link, picture or style gives another result. A second conversion changes nothing.
 */
export function canonicalHtml(html: string): string {
  let root: Parent = parseBody(html)
  for (let inner = gmailWrapper(root); inner !== null; inner = gmailWrapper(root)) root = inner
  return canonicalNodes(root)
}

/** Returns the <div dir="ltr"> that Gmail adds around a signature; null if there is none. */
function gmailWrapper(parent: Parent): Element | null {
  const [only, ...others] = parent.childNodes.filter(
    (node) => isElement(node) || (isText(node) && !isBlank(node.value)),
  )
  if (only === undefined || others.length > 0 || !isElement(only) || only.tagName !== 'div') return null
  const attributes = only.attrs.filter(({ name }) => !ignoredAttributes.test(name))
  return attributes.every(({ name, value }) => name === 'dir' && /^ltr$/i.test(value)) &&
    attributes.length === 1
    ? only
    : null
}

function canonicalNodes(parent: Parent): string {
  const nodes = withoutComments(parent.childNodes)
  return nodes.map((node, index) => canonicalNode(node, nodes[index - 1], nodes[index + 1], parent)).join('')
}

/** Removes comments. The texts on both sides of a comment become one. */
function withoutComments(nodes: Node[]): Node[] {
  const kept: Node[] = []
  for (const node of nodes) {
    const last = kept.at(-1)
    if (isText(node) && last !== undefined && isText(last))
      kept[kept.length - 1] = { ...last, value: last.value + node.value }
    else if (isText(node) || isElement(node)) kept.push(node)
  }
  return kept
}

function canonicalNode(
  node: Node,
  before: Node | undefined,
  after: Node | undefined,
  parent: Parent,
): string {
  if (isText(node)) {
    const inBlock =
      parent.nodeName === 'body' ||
      parent.nodeName === '#document-fragment' ||
      lineBreakingElements.has(parent.nodeName)
    let text = node.value.replaceAll(/[ \t\n\f\r]+/g, ' ')
    if (before === undefined ? inBlock : lineBreakingElements.has(before.nodeName))
      text = text.replace(/^ /, '')
    if (after === undefined ? inBlock : lineBreakingElements.has(after.nodeName))
      text = text.replace(/ $/, '')
    return escapeText(text)
  }
  if (!isElement(node)) return ''
  const attributes = node.attrs
    .filter(({ name }) => !ignoredAttributes.test(name))
    .map(({ name, value }) => [name, canonicalValue(name, value)] as const)
    .filter(([name, value]) => !(name === 'style' && value === ''))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
  const tag = `<${node.tagName}${attributes.join('')}>`
  return withoutEnd.has(node.tagName) ? tag : `${tag}${canonicalNodes(node)}</${node.tagName}>`
}

function canonicalValue(name: string, value: string): string {
  if (name === 'style') return canonicalStyle(value)
  if (name === 'href' || name === 'src') return canonicalAddress(value.trim())
  if (name === 'alt') return value.replaceAll(/\s+/g, ' ').trim()
  return value.trim().toLowerCase()
}

/** https://Example.com and https://example.com/ are the same address. */
function canonicalAddress(address: string): string {
  return /^https?:/i.test(address)
    ? (URL.parse(address)?.href ?? address)
    : address.replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase())
}

const isBlank = (text: string) => /^[ \t\n\f\r]*$/.test(text)
