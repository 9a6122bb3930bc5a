import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../platform/domain-error.ts'
import { openRoute, sendDocument } from '../platform/http/public-document.ts'
import type { Guides } from './answers.ts'

/** Serves the documentation at /guides, as HTML and as Markdown, and the list of its pages at /llms.txt. */
export function serveGuides(server: FastifyInstance): void {
  let opened: Promise<Guides> | null = null
  // Load the renderer and the files at the first request: most processes never need them.
  const open = async () => (await import('./answers.ts')).openGuides()

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    opened ??= open().catch((error) => {
      opened = null
      throw error
    })
    const guides = await opened
    const path = pathOf(request)
    const answer = guides.find(path)
    if (answer) return sendDocument(request, reply, answer)
    const missed = guides.miss(path)
    if (!request.headers.accept?.includes('text/html')) throw notFound('path_not_found', missed.detail)
    return reply.code(404).headers(missed.answer.headers).send(missed.answer.body)
  }
  for (const path of ['/guides', '/guides.md', '/guides/*', '/llms.txt']) server.get(path, openRoute, serve)
}

const pathOf = ({ url }: FastifyRequest) => url.replace(/[?#].*$/s, '').replace(/(?<=.)\/$/, '')
