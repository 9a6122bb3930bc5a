import { allowedElements, patternOf } from './rules.ts'
import { singleSpaced } from './spaces.ts'
import { type Element, escapeAttribute, escapeText, isElement, isText, type Parent } from './tree.ts'

const withoutEnd: ReadonlySet<string> = new Set(['br', 'hr', 'img'])

/** Serializes a tree: only what rules.ts allows, with single spaces. */
export function written(parent: Parent, inLink = false): string {
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
