import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'

const scriptPath = '/docs/scalar.js'

/** The reference loads and calls only this server. The browser refuses all other addresses. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar injects its style sheet, and Vue sets styles on elements.
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** https://scalar.com/products/api-references/configuration */
const configuration = {
  // The path is relative, so that requests go to the server that served the page.
  servers: [{ url: '/api/v1' }],
  authentication: { preferredSecurityScheme: 'bearer' },
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  orderSchemaPropertiesBy: 'preserve',
}

const page = (title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 1h3v14H2zm4.5 0h3v14h-3zM11 1h3v14h-3z' fill='%23667'/%3E%3C/svg%3E">
  </head>
  <body>
    <noscript>This reference needs JavaScript; <a href="/openapi.json">openapi.json</a> says the same.</noscript>
    <script id="api-reference" data-url="/openapi.json" data-configuration="${JSON.stringify(configuration).replaceAll('"', '&quot;')}"></script>
    <script src="${scriptPath}"></script>
  </body>
</html>
`

/** Serves the interactive reference of /openapi.json at /docs, with all files that it needs. */
export function serveReferencePage(server: FastifyInstance, title: string): void {
  const open = { config: { public: true }, exposeHeadRoute: true }
  const html = page(title)
  server.get('/docs', open, (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .header('cache-control', 'no-cache')
      .send(html),
  )
  let script: Promise<Script> | null = null
  server.get(scriptPath, open, async (request, reply) => {
    // 4 MB: loaded only when somebody reads the reference.
    script ??= loadScript()
    const { plain, zipped, etag } = await script
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
      .header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(zipped)
  })
}

type Script = { plain: Buffer; zipped: Buffer; etag: string }

/** Scalar's browser bundle. The package offers it only through a Fastify plugin. */
async function loadScript(): Promise<Script> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const shelf = fastify()
  await shelf.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { rawPayload: plain } = await shelf.inject('/docs/js/scalar.js')
  await shelf.close()
  return { plain, zipped: await promisify(gzip)(plain), etag: `"${hash('sha256', plain).slice(0, 32)}"` }
}
