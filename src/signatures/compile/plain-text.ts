import { printable } from './markup.ts'
import { blocks } from './rules.ts'
import { singleSpaced } from './spaces.ts'
import { attribute, type Element, isElement, isText, type Node, type Parent, textContent } from './tree.ts'

/** Elements that get a blank line before and after them. */
const paragraphs: ReadonlySet<string> = new Set(['blockquote', 'h1', 'h2', 'h3', 'h4', 'ol', 'p', 'ul'])

/** The plain text of a tree, with a line for each block. */
export function textOfTree(tree: Parent): string {
  return tidyText(textWithin(tree, textContent(tree)))
}

/** Removes spaces at line ends, and blank lines at the start, at the end and after another blank line. */
export function tidyText(text: string): string {
  return printable(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function textWithin(parent: Parent, allText: string, before = ''): string {
  return parent.childNodes.reduce((text, node) => appendText(text, node, allText), before)
}

function appendText(before: string, node: Node, allText: string): string {
  if (isText(node)) return before + collapseSpaces(node.value, before)
  if (!isElement(node)) return before
  const name = node.tagName
  if (name === 'br') return `${before}\n`
  if (name === 'img') return before + picture(node, allText)
  if (name === 'a') return before + link(node, before, allText)
  if (!blocks.has(name)) return textWithin(node, allText, before)
  const within = (name === 'tr' ? row(node, allText) : textWithin(node, allText))
    .trimEnd()
    .replace(/^\n+/, '')
  if (within === '') return before
  const gap = before === '' ? '' : paragraphs.has(name) ? '\n\n' : '\n'
  return `${before.trimEnd()}${gap}${within}${paragraphs.has(name) ? '\n\n' : '\n'}`
}

/** Returns the `alt` of a picture; empty if the text already contains it. Often it is the person's name. */
function picture(element: Element, allText: string): string {
  const alt = attribute(element, 'alt') ?? ''
  return allText.includes(alt) ? '' : alt
}

/** A row of a table. Its cells are on one line if each has only one line. */
function row(element: Element, allText: string): string {
  const cells = element.childNodes
    .filter(isElement)
    .map((cell) => textWithin(cell, allText).trim())
    .filter((text) => text !== '')
  return cells.join(cells.some((text) => text.includes('\n')) ? '\n' : ' ')
}

function link(element: Element, before: string, allText: string): string {
  const label = textWithin(element, allText, /\s$|^$/.test(before) ? '' : '|').replace(/^\|/, '')
  const shown = label.trim()
  const url = readable(attribute(element, 'href') ?? '')
  if (shown === '') return url
  return showsTheLink(shown, url) ? label : `${label.trimEnd()} (${url})`
}

const readable = (href: string) => href.replace(/^(?:mailto|tel):/i, '')

/**
 * Whether a label shows the same as its link. Telephone numbers are compared by digits, and addresses without
 * https://www.
 */
function showsTheLink(label: string, url: string): boolean {
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

function collapseSpaces(text: string, before: string): string {
  const single = singleSpaced(text, undefined).replaceAll('\u00a0', ' ')
  return before === '' || /\s$/.test(before) ? single.trimStart() : single
}
