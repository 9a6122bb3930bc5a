import { lexer, type MarkedToken, type Token } from 'marked'
import { createElement, Fragment, type ReactNode } from 'react'
import styles from './markdown.module.css'

/**
 * Markdown as elements of React. HTML in it is shown as text, and pictures are links: the page loads nothing from other
 * servers. Only links to web, e-mail and phone addresses can be followed.
 */
export const Markdown = ({ text }: { text: string }): ReactNode => (
  <div className={styles.text}>{shown(lexer(text, { gfm: true, breaks: true }))}</div>
)

const shown = (tokens: readonly Token[] = []): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text have no other identity
  tokens.map((token, index) => <Fragment key={index}>{elementOf(token as MarkedToken)}</Fragment>)

function elementOf(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return <p>{shown(token.tokens)}</p>
    case 'heading':
      // The page has headings of its own, so those of a note begin below them.
      return createElement(`h${Math.min(6, token.depth + 3)}`, null, shown(token.tokens))
    case 'strong':
    case 'em':
    case 'del':
    case 'blockquote':
      return createElement(token.type, null, shown(token.tokens))
    case 'br':
    case 'hr':
      return createElement(token.type)
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls long lines
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      )
    case 'codespan':
      return <code>{token.text}</code>
    case 'list':
      return createElement(
        token.ordered ? 'ol' : 'ul',
        token.ordered && token.start !== '' ? { start: token.start } : null,
        token.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have no other identity
          <li key={index}>{shown(item.tokens)}</li>
        )),
      )
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'link':
      return <SafeLink href={token.href}>{shown(token.tokens)}</SafeLink>
    case 'image':
      return <SafeLink href={token.href}>{token.text || token.href}</SafeLink>
    case 'text':
      return token.tokens ? shown(token.tokens) : token.text
    case 'escape':
      return token.text
    default:
      return token.raw
  }
}

function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(https?:\/\/|mailto:|tel:)/i.test(href)) return children
  return (
    <a className="link" href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
