import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lacksTls, sessionTokenIn, tlsAdvice } from '../auth/console-cookies.ts'
import { escapeHtml } from '../platform/http/escape-html.ts'
import { openRoute } from '../platform/http/public-document.ts'
import { sendInTurn } from '../platform/http/send-in-turn.ts'
import type { Asset } from './assets.ts'
import type { BuiltConsole, ConsoleBuild } from './build.ts'
import { servePreview } from './preview.ts'

/** Allows no foreign script, no inline script, no HTML from text, and no frame around the console. */
const policyOf = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Allow style sheets with the page's nonce: React Aria and the code editor create them.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/**
 * Serves the built console. A path below /console without a file gets the page, which reads the path.
 * @param publicUrl the address of the installation, if the operator set it
 */
export function serveConsole(server: FastifyInstance, build: ConsoleBuild, publicUrl: string | null): void {
  for (const path of ['/console', '/console/*'])
    server.get(path, openRoute, (request, reply) => sendPage(request, reply, build.current, publicUrl))
  servePreview(server)
  server.get<{ Params: { name: string } }>('/console/assets/:name', openRoute, (request, reply) => {
    const { current } = build
    const asset = current.state === 'ready' ? current.assets.get(request.params.name) : undefined
    if (!asset) return reply.code(404).type('text/plain').send('There is no such file. Reload the page.\n')
    return sendAsset(request, reply, asset)
  })
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  built: BuiltConsole,
  publicUrl: string | null,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(nonce),
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  })
  // Refuse before anybody types a password, which the network could read.
  if (lacksTls(request, publicUrl))
    return reply.code(403).send(messagePage(nonce, 'Sign in needs https', `${tlsAdvice}.`))
  if (built.state === 'ready') {
    // Tell the page whether there is a cookie, which scripts cannot see. Without one, it shows the sign-in at once.
    const session = sessionTokenIn(request.headers.cookie) ? 'maybe' : 'none'
    const page = withFiles(built.page, session === 'none' ? [] : filesOf(request.url))
    return reply.send(page.replaceAll('__NONCE__', nonce).replace('__SESSION__', session))
  }
  if (built.state === 'building') return reply.code(503).header('retry-after', '3').send(waitingPage(nonce))
  return reply.code(503).send(messagePage(nonce, ...messageOf(built)))
}

/** The files that an address needs besides the first files, by their names in the page (console/first-files.ts). */
function filesOf(url: string): string[] {
  const match = /^\/console\/o\/[\w-]+(?:\/(people|companies)\/?(?:\?|$))?/.exec(url)
  return match ? ['frame', match[1] ?? ''] : []
}

/** Removes the links to all files of a page except those with the given names. */
const withFiles = (page: string, names: readonly string[]): string =>
  page.replace(/<!--files of (\w+)-->(.*?)<!--end-->/gs, (_, name, links) =>
    names.includes(name) ? links : '',
  )

function messageOf(built: BuiltConsole): [title: string, text: string] {
  if (built.state === 'failed')
    return [
      'The console could not be built',
      `The API works. Restart Crosswalk to build the console again. The build said: ${built.reason}`,
    ]
  return [
    'This server has no console',
    'It was started with CONSOLE=0. The API works. Start it without CONSOLE=0 to use the console.',
  ]
}

const waitingPage = (nonce: string) =>
  messagePage(
    nonce,
    'The console is being built',
    'This happens once after an installation or an update, and takes less than a minute. The page reloads automatically. The API works already.',
    '<meta http-equiv="refresh" content="3">',
  )

const messageStyle = `
:root { color-scheme: light dark; background: light-dark(#fafaf9, #0d0e11); color: light-dark(#171b20, #e6e8ea) }
body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto 0; padding: 0 24px; max-width: 34rem }
h1 { font-size: 26px; line-height: 32px; font-weight: 600 }
a { color: light-dark(#017272, #5ecbcb) }
`

const messagePage = (nonce: string, title: string, text: string, head = '') => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${head}
<title>${title} · Crosswalk</title>
<style nonce="${nonce}">${messageStyle}</style>
<main>
<h1>${title}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="/guides">Guides</a> · <a href="/docs">API reference</a></p>
</main>
</html>
`

async function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): Promise<FastifyReply> {
  const { contentType, etag, plain, br, gzip } = asset
  reply.headers({
    ...{ 'content-type': contentType, etag, vary: 'accept-encoding' },
    // The name contains a hash of the content, so the content never changes.
    'cache-control': 'public, max-age=31536000, immutable',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (br && /\bbr\b/.test(accepted)) return sendInTurn(request, reply.header('content-encoding', 'br'), br)
  if (gzip && /\bgzip\b/.test(accepted))
    return sendInTurn(request, reply.header('content-encoding', 'gzip'), gzip)
  return sendInTurn(request, reply, plain)
}
