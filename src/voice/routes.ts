import { z } from 'zod'
import type { Context } from '../platform/context.ts'
import { Answer, type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { id } from '../platform/http/fields.ts'
import { ifMatch } from '../platform/http/if-match.ts'
import { callbackUrl } from './calls/callbacks.ts'
import { createNumber, deleteNumber, listNumbers } from './numbers.ts'
import { CreateNumber, NumberQuery, UpdateVoiceSettings, VoiceNumber, VoiceSettings } from './schema.ts'
import { changeSettings, readSettings } from './settings.ts'

const tag = 'Voice'

/** Settings with the address for callbacks, and their version as ETag. */
function settingsAnswer(context: Context, orgId: string, settings: VoiceSettings) {
  const { provider, version } = settings
  const callback_url = provider === 'simulator' ? null : callbackUrl(context, provider, orgId)
  return new Answer({ ...settings, callback_url }, { headers: { etag: `"${version}"` } })
}

export const voiceEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/voice/numbers',
    name: 'list_voice_numbers',
    sdk: 'voice.numbers.list',
    summary: 'List the caller ids',
    description: 'Newest first.',
    tag,
    permission: 'voice:read',
    query: NumberQuery,
    shape: 'page',
    response: z.array(VoiceNumber),
    handle: ({ org, context, query }) => listNumbers(org, context.cursors, query),
  }),
  endpoint({
    method: 'POST',
    path: '/voice/numbers',
    name: 'create_voice_number',
    sdk: 'voice.numbers.create',
    summary: 'Add a caller id',
    description:
      'The organization rents the number from its provider. Crosswalk does not buy the number, and does not ask the provider whether it exists.',
    tag,
    permission: 'voice:manage',
    body: CreateNumber,
    status: 201,
    shape: 'data',
    response: VoiceNumber,
    errors: { 409: 'The organization has this number already' },
    example: { number: '+1 415 555 0100', label: 'Front desk' },
    handle: ({ org, body }) => org.transact((tx) => createNumber(tx, body)),
  }),
  endpoint({
    method: 'DELETE',
    path: '/voice/numbers/{number_id}',
    name: 'delete_voice_number',
    sdk: 'voice.numbers.delete',
    summary: 'Remove a number',
    description: 'New calls cannot use the number. Earlier calls still show it.',
    tag,
    permission: 'voice:manage',
    params: z.object({ number_id: id().describe('The id of the number.') }),
    shape: 'none',
    errors: { 404: 'No number of this organization has this id' },
    handle: ({ org, params }) =>
      org.transact(async (tx) => {
        await deleteNumber(tx, params.number_id)
        return undefined
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/voice/settings',
    name: 'get_voice_settings',
    sdk: 'voice.settings.get',
    summary: 'Read the voice settings',
    description: 'Credentials are never shown, except for their last four characters.',
    tag,
    permission: 'voice:read',
    shape: 'data',
    answerHeaders: ['ETag'],
    response: VoiceSettings,
    handle: ({ org, context }) =>
      org.read(async (tx) => settingsAnswer(context, org.orgId, await readSettings(tx, context.secrets))),
  }),
  endpoint({
    method: 'PATCH',
    path: '/voice/settings',
    name: 'update_voice_settings',
    sdk: 'voice.settings.update',
    summary: 'Change the voice settings',
    description:
      'Changes only the fields that are sent. A new provider needs its credentials, unless they are stored already. This request cannot change the subscription.',
    tag,
    permission: 'voice:manage',
    confirm: true,
    headers: z.object({ 'if-match': ifMatch }),
    body: UpdateVoiceSettings,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: VoiceSettings,
    errors: { 409: 'If-Match does not name the current version' },
    example: { concurrent_call_cap: 20, calling_hours: { start: '08:00', end: '21:00' } },
    handle: ({ org, context, headers, body }) =>
      org.transact(async (tx) =>
        settingsAnswer(
          context,
          org.orgId,
          await changeSettings(tx, context.secrets, body, headers['if-match']),
        ),
      ),
  }),
]
