import fastify, { type FastifyInstance } from 'fastify'
import { openRoute, PublicDocument, sendDocument } from './public-document.ts'

const scriptPath = '/docs/scalar.js'

/**
 * The page may load and call only the API and its document on this server. Otherwise, a script of the page could use
 * the session of someone who is signed in to the console.
 * @param hosts of this server. A source with a path needs a host: `'self'` cannot have a path (CSP 3, section 2.3.1)
 */
const contentSecurityPolicy = (hosts: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Scalar injects its style sheet, and Vue sets styles on elements.
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src ${hosts.flatMap((host) => [`${host}/api/v1/`, `${host}/openapi.json`]).join(' ') || "'none'"}`,
    // Forbid workers: a worker would have a policy of its own.
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Darker and lighter colors than those of Scalar: text needs a contrast of 4.5 (WCAG 2.2, 1.4.3). */
export const colors = `
.light-mode {
  --scalar-color-2: #595959;
  --scalar-color-3: #6a6a6a;
  --scalar-sidebar-color-2: #595959;
  --scalar-sidebar-search-color: #6a6a6a;
  --scalar-color-green: #00694a;
  --scalar-color-blue: #0060a0;
  --scalar-color-orange: #9a4500;
  --scalar-color-red: #c00000;
  --scalar-color-yellow: #7a5c00;
  --scalar-color-purple: #5f2fc0;
}
.dark-mode {
  --scalar-color-3: #9a9a9a;
  --scalar-sidebar-search-color: #9a9a9a;
  --scalar-color-red: #ff6b6b;
}
`.replace(/\s+/g, ' ')

/** Scalar's buttons that copy a code have only an icon. The text after the slash is their name for screen readers. */
const names = `.scalar-code-copy::after { content: '' / 'Copy the code' }`

/** The settings of Scalar (https://scalar.com/products/api-references/configuration). */
const configuration = {
  // A relative path, so that requests go to the server that served the page.
  servers: [{ url: '/api/v1' }],
  authentication: { preferredSecurityScheme: 'bearer' },
  withDefaultFonts: false,
  customCss: colors + names,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  // Hide the 40 samples that Scalar generates: the document has samples of its own (x-codeSamples).
  hiddenClients: true,
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
    <noscript>This reference needs JavaScript; <a href="/openapi.json">openapi.json</a> has the same content.</noscript>
    <script id="api-reference" data-url="/openapi.json" data-configuration="${JSON.stringify(configuration).replaceAll('"', '&quot;')}"></script>
    <script src="${scriptPath}"></script>
  </body>
</html>
`

// A host that cannot be in a policy, such as an IPv6 address, is left out.
const validHost = /^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i

function hostsOf(host: string, publicUrl: string | null): string[] {
  const known = publicUrl === null ? [] : [new URL(publicUrl).host]
  return [...new Set([host, ...known])].filter((each) => validHost.test(each))
}

/**
 * Serves the interactive reference of /openapi.json at /docs, with all files that it needs.
 * @param publicUrl the address of the installation, if the operator set it
 */
export function serveReferencePage(server: FastifyInstance, title: string, publicUrl: string | null): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy([]),
    // Other answers send `same-origin`. This difference makes the browser separate the page from windows it opens.
    'cross-origin-opener-policy': 'unsafe-none',
  }
  const html = new PublicDocument(headers, page(title))
  server.get('/docs', openRoute, (request, reply) => {
    const policy = contentSecurityPolicy(hostsOf(request.host, publicUrl))
    return sendDocument(request, reply, html, { 'content-security-policy': policy })
  })
  let script: Promise<PublicDocument> | null = null
  server.get(scriptPath, openRoute, async (request, reply) => {
    // Load the 4 MB only when the reference is read.
    script ??= loadScript()
    return sendDocument(request, reply, await script)
  })
}

/** Loads the browser bundle of Scalar, which the package offers only inside a Fastify plugin. */
async function loadScript(): Promise<PublicDocument> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const shelf = fastify()
  await shelf.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { rawPayload } = await shelf.inject('/docs/js/scalar.js')
  await shelf.close()
  return new PublicDocument({ 'content-type': 'text/javascript; charset=utf-8' }, rawPayload)
}
