import { linkOrigin } from '../../platform/config.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { exampleId } from '../../platform/http/example-ids.ts'
import { findWriteKey } from '../write-keys/write-keys.ts'
import { Snippet, SnippetQuery } from './schema.ts'
import { snippetOf } from './snippet.ts'

export const snippetEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tracking/snippet',
    name: 'get_tracking_snippet',
    sdk: 'tracking.snippet.get',
    summary: 'Read the HTML with which a page sends events',
    description: 'Put it into the head of each page. The page keeps working if a visitor blocks the script.',
    tag: 'Tracking',
    permission: 'tracking:read',
    query: SnippetQuery,
    shape: 'data',
    response: Snippet,
    errors: { 404: 'No write key of this organization has this id' },
    example: { write_key_id: exampleId('write_key_id') },
    handle: ({ org, context: { config }, query, browser }) => {
      // Without PUBLIC_URL: the address at which a person opened the console, or else the address of this machine.
      const address = config.publicUrl ?? browser?.origin ?? linkOrigin(config)
      return org.read(async (tx) => snippetOf(await findWriteKey(tx, query.write_key_id), address))
    },
  }),
]
