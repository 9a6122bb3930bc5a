import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5'

// An independent check with parse5, which parses as browsers do. Its lists are separate from rules.ts on purpose.

const elements = new Set(
  'a b blockquote br div em h1 h2 h3 h4 hr i img li ol p s small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  ),
)
const attributes = new Set(
  'align alt bgcolor border cellpadding cellspacing colspan dir height href lang rowspan src style valign width'.split(
    ' ',
  ),
)
const property =
  /^(?:background(?:-color)?|border(?:-(?:top|right|bottom|left))?(?:-(?:color|style|width))?|border-(?:collapse|radius|spacing)|color|direction|display|font(?:-(?:family|size|style|variant|weight))?|(?:min-|max-)?(?:height|width)|letter-spacing|line-height|list-style-type|(?:margin|padding)(?:-(?:top|right|bottom|left))?|overflow-wrap|text-(?:align|decoration|transform)|vertical-align|white-space|word-break)$/

type Node = DefaultTreeAdapterTypes.ChildNode

/** Everything in `nodes` that a signature must not contain. */
export function* violations(nodes: Node[]): Generator<string> {
  for (const node of nodes) {
    if (node.nodeName === '#text') continue
    if (!('attrs' in node)) {
      yield node.nodeName
      continue
    }
    if (!elements.has(node.tagName) || node.namespaceURI !== 'http://www.w3.org/1999/xhtml')
      yield `<${node.tagName}>`
    for (const { name, value } of node.attrs) {
      if (!attributes.has(name)) yield name
      if (name === 'href' && !/^(?:https?:\/\/|mailto:|tel:)[^\s<>"]+$/i.test(value)) yield `href ${value}`
      if (name === 'src' && !/^https:\/\/[^\s<>"]+$/i.test(value)) yield `src ${value}`
      if (name === 'style') {
        if (/url|expression|[@\\!<>{}]|\/\*/i.test(value)) yield value
        for (const each of value.split(';')) if (!property.test(each.replace(/:.*$/s, ''))) yield value
      }
    }
    yield* violations(node.childNodes)
  }
}

/** Parses `html` with parse5 as the body of a page. @throws Error if it breaks out of the body */
export const bodyOf = (html: string) => {
  const page = parse(`<!doctype html><html><head></head><body>${html}</body></html>`)
  const root = page.childNodes.find((node) => node.nodeName === 'html') as DefaultTreeAdapterTypes.Element
  if (root.childNodes.length !== 2) throw new Error('something is after the body')
  return root.childNodes[1] as DefaultTreeAdapterTypes.Element
}

/** Serializes `html` with parse5, with no-break spaces as characters. */
export const written = (html: string) => serialize(bodyOf(html)).replaceAll('&nbsp;', '\u00a0')
