import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mayHaveSession } from '../auth/visits.ts'
import type { Asset } from './assets.ts'
import type { BuiltConsole, ConsoleBuild } from './build.ts'

const open = { config: { public: true }, exposeHeadRoute: true }

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

/** Serves the built console. A path below /console that is no file gets the page, which reads the path. */
export function serveConsole(server: FastifyInstance, build: ConsoleBuild): void {
  server.get('/console', open, (request, reply) => sendPage(request, reply, build.current))
  server.get('/console/*', open, (request, reply) => sendPage(request, reply, build.current))
  server.get<{ Params: { name: string } }>('/console/assets/:name', open, (request, reply) => {
    const { current } = build
    const asset = current.state === 'ready' ? current.assets.get(request.params.name) : undefined
    if (!asset) return reply.code(404).type('text/plain').send('There is no such file. Reload the page.\n')
    return sendAsset(request, reply, asset)
  })
}

function sendPage(request: FastifyRequest, reply: FastifyReply, built: BuiltConsole): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(nonce),
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  })
  if (built.state === 'ready') {
    // Tell the page whether there is a cookie, which scripts cannot see. Without one, it shows the sign-in at once.
    const session = mayHaveSession(request.headers.cookie) ? 'maybe' : 'none'
    return reply.send(built.page.replaceAll('__NONCE__', nonce).replace('__SESSION__', session))
  }
  if (built.state === 'building') return reply.code(503).header('retry-after', '3').send(waitingPage())
  return reply.code(503).send(messagePage(...messageOf(built)))
}

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

const waitingPage = () =>
  messagePage(
    'The console is being built',
    'This happens once after an installation or an update, and takes less than a minute. The page reloads automatically. The API works already.',
    '<meta http-equiv="refresh" content="3">',
  )

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)

const messagePage = (title: string, text: string, head = '') => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${head}
<title>${title} · Crosswalk</title>
<main>
<h1>${title}</h1>
<p>${escaped(text)}</p>
<p><a href="/docs">API reference</a> · <a href="/guides">Guides</a></p>
</main>
</html>
`

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const { contentType, etag, plain, br, gzip } = asset
  reply.headers({
    ...{ 'content-type': contentType, etag, vary: 'accept-encoding' },
    // The name contains a hash of the content, so the content never changes.
    'cache-control': 'public, max-age=31536000, immutable',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(br)
  if (gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(gzip)
  return reply.send(plain)
}
