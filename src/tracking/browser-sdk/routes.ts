import type { FastifyInstance } from 'fastify'
import { notFound } from '../../platform/domain-error.ts'
import { openRoute, PublicDocument, sendDocument } from '../../platform/http/public-document.ts'
import { corsHeaders } from '../wire/cors.ts'
import { type SdkFile, sdkFiles } from './files.ts'

const hour = 'public, max-age=3600'
const forever = 'public, max-age=31536000, immutable'

/**
 * Serves the script for web pages: /sdk/v1.js and /sdk/v1.mjs are its newest version, /sdk/1.0.0.js is one version, and
 * /sdk/integrity.json has the hashes of all versions.
 */
export function serveBrowserSdk(server: FastifyInstance): void {
  const files = sdkFiles()
  const documents = new Map(
    files.map(({ name, body, isPinned }) => [
      name,
      documentOf('text/javascript; charset=utf-8', isPinned ? forever : hour, body),
    ]),
  )
  documents.set('integrity.json', documentOf('application/json; charset=utf-8', hour, hashesOf(files)))
  server.get<{ Params: { name: string } }>('/sdk/:name', openRoute, (request, reply) => {
    const document = documents.get(request.params.name)
    if (document) return sendDocument(request, reply, document)
    throw notFound('path_not_found', 'There is no such version of the script: /sdk/integrity.json lists all')
  })
}

/** A page of another origin can check the hash of a file only if CORS allows it to read the file. */
const documentOf = (type: string, cache: string, body: Buffer | string) =>
  new PublicDocument({ ...corsHeaders, 'content-type': type, 'cache-control': cache }, body)

function hashesOf(files: readonly SdkFile[]): string {
  const pinned = files.filter(({ isPinned }) => isPinned)
  return JSON.stringify(Object.fromEntries(pinned.map(({ name, integrity }) => [name, integrity])), null, 2)
}
