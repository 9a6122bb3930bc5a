import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment, html as spec } from 'parse5'

export type Node = DefaultTreeAdapterTypes.ChildNode
export type Element = DefaultTreeAdapterTypes.Element
export type Parent = DefaultTreeAdapterTypes.ParentNode
export type Attribute = Element['attrs'][number]

const body = defaultTreeAdapter.createElement('body', spec.NS.HTML, [])

/** Parses `html` as browsers parse the content of a page. */
export function parseBody(html: string): Parent {
  return parseFragment(body, html, {})
}

/** A tree without nodes, which `appendElement` and `appendText` fill. */
export const newTree = (): Parent => defaultTreeAdapter.createDocumentFragment()

/** Appends a new element, and returns it. */
export function appendElement(parent: Parent, name: string, attributes: Attribute[]): Element {
  const element = defaultTreeAdapter.createElement(name, spec.NS.HTML, attributes)
  defaultTreeAdapter.appendChild(parent, element)
  return element
}

/** Appends text. Texts that follow each other become one. */
export function appendText(parent: Parent, text: string): void {
  if (text !== '') defaultTreeAdapter.insertText(parent, text)
}

/** Removes spaces from the start and the end of a tree. */
export function trimTree({ childNodes }: Parent): void {
  const [first, last] = [childNodes.at(0), childNodes.at(-1)]
  if (first !== undefined && isText(first)) first.value = first.value.trimStart()
  if (last !== undefined && isText(last)) last.value = last.value.trimEnd()
}

/** Whether a node is an element. */
export function isElement(node: Node): node is Element {
  return 'tagName' in node
}

/** Whether a node is text. */
export function isText(node: Node): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text'
}

/** Returns the value of an attribute; undefined if the element lacks it. */
export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value
}

/** Returns the text of all nodes below an element. */
export function textContent(parent: Parent): string {
  return parent.childNodes
    .map((node) => (isText(node) ? node.value : isElement(node) ? textContent(node) : ''))
    .join('')
}

/** Writes a text for HTML, between tags only. */
export function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Escapes an attribute's value for double quotes. */
export const escapeAttribute = (value: string): string => escapeText(value).replaceAll('"', '&quot;')
