import { z } from 'zod'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch, withETag } from '../platform/http/if-match.ts'
import { changePersona, createPersona, findPersona, listPersonas, movePersona } from './personas.ts'
import { CreatePersona, Persona, PersonaQuery, UpdatePersona } from './schema.ts'

const tag = 'Personas'
const params = z.object({ persona_id: id().describe('The id of the persona.') })
const headers = z.object({ 'if-match': ifMatch })
const notFound = { 404: 'No persona of this organization has this id' }
const errors = { ...notFound, 409: 'If-Match does not name the current version' }

type MoveTexts = Pick<Endpoint, 'path' | 'name' | 'sdk' | 'summary' | 'description' | 'errors'>

const moveEndpoint = (move: Parameters<typeof movePersona>[2], about: MoveTexts): Endpoint =>
  endpoint({
    method: 'POST',
    ...about,
    tag,
    permission: 'personas:write',
    params,
    headers,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Persona,
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) =>
        withETag(await movePersona(tx, params.persona_id, move, headers['if-match'])),
      ),
  })

export const personaEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/personas',
    name: 'list_personas',
    sdk: 'personas.list',
    summary: 'List the personas',
    description: 'Newest first. The list leaves out archived personas unless you send `status=archived`.',
    tag,
    permission: 'personas:read',
    query: PersonaQuery,
    shape: 'page',
    response: z.array(Persona),
    handle: ({ org, context, query }) => listPersonas(org, context.cursors, query),
  }),
  endpoint({
    method: 'POST',
    path: '/personas',
    name: 'create_persona',
    sdk: 'personas.create',
    summary: 'Create a persona',
    description: 'A new persona is a draft until you activate it.',
    tag,
    permission: 'personas:write',
    body: CreatePersona,
    status: 201,
    location: '/personas/{persona_id}',
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Persona,
    example: {
      name: 'Mia',
      role_title: 'Appointment assistant',
      instructions: 'You call to confirm an appointment. Be brief and friendly; never talk about prices.',
      voice: { language: 'en-US', speed: 1 },
      greeting: 'Hello, this is Mia, the AI assistant of Acme. Do you have a minute?',
    },
    handle: ({ org, body }) => org.transact(async (tx) => withETag(await createPersona(tx, body))),
  }),
  endpoint({
    method: 'GET',
    path: '/personas/{persona_id}',
    name: 'get_persona',
    sdk: 'personas.get',
    summary: 'Read a persona',
    description: 'Archived personas can be read, too.',
    tag,
    permission: 'personas:read',
    params,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Persona,
    errors: notFound,
    handle: ({ org, params }) => org.read(async (tx) => withETag(await findPersona(tx, params.persona_id))),
  }),
  endpoint({
    method: 'PATCH',
    path: '/personas/{persona_id}',
    name: 'update_persona',
    sdk: 'personas.update',
    summary: 'Change a persona',
    description: 'Only the fields that you send change. null clears a field.',
    tag,
    permission: 'personas:write',
    params,
    headers,
    body: UpdatePersona,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: Persona,
    errors: { ...notFound, 409: 'If-Match does not name the current version, or the persona is archived' },
    example: { greeting: 'Hello, Mia here. Do you have a minute?', voice: { speed: 1.1 } },
    handle: ({ org, params, headers, body }) =>
      org.transact(async (tx) =>
        withETag(await changePersona(tx, params.persona_id, body, headers['if-match'])),
      ),
  }),
  moveEndpoint('archived', {
    path: '/personas/{persona_id}/archive',
    name: 'archive_persona',
    sdk: 'personas.archive',
    summary: 'Archive a persona',
    description:
      'An archived persona leaves the list, and new calls cannot use it. Calls and mailboxes that already use the persona keep it. You can restore the persona. Archiving it again changes nothing.',
    errors,
  }),
  moveEndpoint('restored', {
    path: '/personas/{persona_id}/restore',
    name: 'restore_persona',
    sdk: 'personas.restore',
    summary: 'Restore an archived persona',
    description: 'The persona gets its earlier status back: draft or active.',
    errors,
  }),
  moveEndpoint('activated', {
    path: '/personas/{persona_id}/activate',
    name: 'activate_persona',
    sdk: 'personas.activate',
    summary: 'Activate a draft',
    errors: { ...notFound, 409: 'If-Match does not name the current version, or the persona is archived' },
  }),
]
