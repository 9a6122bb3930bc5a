import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Forbids scripts and everything that they could do, and allows what a signature has: pictures and styles. */
const policy = [
  'sandbox',
  "default-src 'none'",
  'img-src https: data:',
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** In bytes. A compiled signature has at most 10,000 characters, each at most 12 bytes in a form. */
const formMax = 160 * 1024

/**
 * Answers a form of the console with the HTML that it contains. The console shows signatures in such a frame, because a
 * frame with `srcdoc` would have the policy of the console, which allows no inline styles.
 */
export function servePreview(server: FastifyInstance): void {
  server.post('/console/preview', { config: { public: true }, bodyLimit: formMax, onRequest: refuse }, answer)
}

/** Refuses other sites, and requests outside of a frame: otherwise anybody could show any text at the address of this server. */
async function refuse({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'iframe') return undefined
  return reply.code(403).type('text/plain').send('Only a frame of the console can show this.\n')
}

function answer({ body }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const html = new URLSearchParams(String(body)).get('html') ?? ''
  return reply
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    .send(html)
}
