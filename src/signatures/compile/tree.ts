import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment, html as spec } from 'parse5'

export type Node = DefaultTreeAdapterTypes.ChildNode
export type Element = DefaultTreeAdapterTypes.Element
export type Parent = DefaultTreeAdapterTypes.ParentNode

const body = defaultTreeAdapter.createElement('body', spec.NS.HTML, [])

export function parseBody(html: string): Parent {
  return parseFragment(body, html, {})
}

export function isElement(node: Node): node is Element {
  return 'tagName' in node
}

export function isText(node: Node): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text'
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value
}

export function textContent(parent: Parent): string {
  return parent.childNodes
    .map((node) => (isText(node) ? node.value : isElement(node) ? textContent(node) : ''))
    .join('')
}

export function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Escapes an attribute's value for double quotes. */
export const escapeAttribute = (value: string): string => escapeText(value).replaceAll('"', '&quot;')
