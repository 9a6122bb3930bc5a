import { hash } from 'node:crypto'
import type { Offer } from './offers.ts'

/**
 * A draft with the signature as HTML and as text (RFC 5322, RFC 2046 section 5.1.4). `X-Unsent` makes mail programs
 * open it for editing. So the owner can copy the signature without the browser's clipboard.
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
    // Leave out a sender with non-ASCII characters, which some mail programs refuse. A draft needs no sender.
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
