import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openRoute, PublicDocument, sendDocument } from '../../platform/http/public-document.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Serves the demo shop, which sends events with the write key of its address: /demo?key=wk_live_…. It is the same for
 * everybody, and reads nothing.
 */
export function serveDemoShop(server: FastifyInstance): void {
  const page = documentOf('shop.html', { 'content-type': 'text/html', 'content-security-policy': policy })
  for (const path of ['/demo', '/demo/:page'])
    server.get(path, openRoute, (request, reply) => sendDocument(request, reply, page))
  for (const [file, type] of [
    ['shop.css', 'text/css'],
    ['shop.js', 'text/javascript'],
  ] as const) {
    const document = documentOf(file, { 'content-type': type })
    server.get(`/demo/files/${file}`, openRoute, (request, reply) => sendDocument(request, reply, document))
  }
}

function documentOf(
  file: string,
  headers: Record<'content-type', string> & Record<string, string>,
): PublicDocument {
  const content = readFileSync(join(import.meta.dirname, file), 'utf8')
  return new PublicDocument(
    { ...headers, 'content-type': `${headers['content-type']}; charset=utf-8` },
    content,
  )
}
