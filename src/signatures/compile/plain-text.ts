import { printable } from './markup.ts'
import { blocks } from './rules.ts'
import { attribute, type Element, isElement, isText, type Node, type Parent, textContent } from './tree.ts'

/** With a blank line around them. */
const paragraphs: ReadonlySet<string> = new Set(['blockquote', 'h1', 'h2', 'h3', 'h4', 'ol', 'p', 'ul'])

/** Plain text for those who read no HTML: a line for each block, cells of a row beside one another, links in brackets. */
export function textOfTree(tree: Parent): string {
  return tidyText(textWithin(tree, textContent(tree)))
}

/** `text` without spaces at the ends of lines, without more than one blank line in a row, or any at either end. */
export function tidyText(text: string): string {
  return printable(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function textWithin(parent: Parent, said: string, before = ''): string {
  return parent.childNodes.reduce((text, node) => joined(text, node, said), before)
}

function joined(before: string, node: Node, said: string): string {
  if (isText(node)) return before + collapsed(node.value, before)
  if (!isElement(node)) return before
  const name = node.tagName
  if (name === 'br') return `${before}\n`
  if (name === 'img') return before + picture(node, said)
  if (name === 'a') return before + link(node, before, said)
  if (!blocks.has(name)) return textWithin(node, said, before)
  const within = (name === 'tr' ? row(node, said) : textWithin(node, said)).trimEnd().replace(/^\n+/, '')
  if (within === '') return before
  const gap = before === '' ? '' : paragraphs.has(name) ? '\n\n' : '\n'
  return `${before.trimEnd()}${gap}${within}${paragraphs.has(name) ? '\n\n' : '\n'}`
}

/** The words for a picture, unless they are said anyway: a portrait has the name of whose signature it is. */
function picture(element: Element, said: string): string {
  const alt = attribute(element, 'alt') ?? ''
  return said.includes(alt) ? '' : alt
}

/** The cells of a row: beside one another where each has but one line. */
function row(element: Element, said: string): string {
  const cells = element.childNodes
    .filter(isElement)
    .map((cell) => textWithin(cell, said).trim())
    .filter((text) => text !== '')
  return cells.join(cells.some((text) => text.includes('\n')) ? '\n' : ' ')
}

function link(element: Element, before: string, said: string): string {
  const label = textWithin(element, said, /\s$|^$/.test(before) ? '' : '|').replace(/^\|/, '')
  const shown = label.trim()
  const url = readable(attribute(element, 'href') ?? '')
  if (shown === '') return url
  return same(shown, url) ? label : `${label.trimEnd()} (${url})`
}

const readable = (href: string) => href.replace(/^(?:mailto|tel):/i, '')

/** Whether a label says where its link leads: digits for telephone numbers, addresses with or without https://www. */
function same(label: string, url: string): boolean {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^www\./, '')
      .replace(/\/$/, '')
  if (bare(label) === bare(url)) return true
  const digits = (text: string) => text.replaceAll(/[^\d+]/g, '')
  return (
    /^\+?[\d\s().\-/]+$/.test(label) &&
    digits(label.replace('(0)', '')) === digits(url) &&
    digits(url).length > 4
  )
}

function collapsed(text: string, before: string): string {
  const single = text.replaceAll(/[ \t\n\f\r]+/g, ' ').replaceAll('\u00a0', ' ')
  return before === '' || /\s$/.test(before) ? single.trimStart() : single
}
