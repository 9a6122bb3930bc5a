import { hash } from 'node:crypto'
import type { Offer } from './offers.ts'

/**
 * A draft that holds the signature as HTML and as text (RFC 5322, RFC 2046 section 5.1.4), which mail programs open for
 * editing (`X-Unsent`, Outlook): the way to copy it where a browser's clipboard does not reach.
 */
export function emlOf({ email, html, text }: Pick<Offer, 'email' | 'html' | 'text'>): string {
  const boundary = `signature-${hash('sha256', html + text).slice(0, 32)}`
  const part = (type: string, body: string) => [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(body)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
  ]
  const lines = [
    // An address beyond ASCII needs a server that takes it; a draft does without.
    ...(/^[!-~]+$/.test(email) ? [`From: <${email}>`] : []),
    'Subject: Your new e-mail signature',
    'X-Unsent: 1',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...part('text/plain', text),
    ...part('text/html', `<!doctype html><html><body>${html}</body></html>`),
    `--${boundary}--`,
    '',
  ]
  return lines.join('\r\n')
}
