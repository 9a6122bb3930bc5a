import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { findCall, listCalls } from './calls.ts'
import { cancelCall } from './cancel.ts'
import { placeCall } from './place.ts'
import { Call, CallQuery, PlaceCall, PlacedCall, Usage } from './schema.ts'
import { readUsage } from './usage.ts'

const tag = 'Voice'
const params = z.object({ call_id: id().describe('The id of the call.') })
const notFound = { 404: 'No call of this organization has this id' }

export const callEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/voice/calls',
    name: 'place_call',
    sdk: 'voice.calls.place',
    summary: 'Place a call',
    description:
      'An AI agent calls a number. The call is real and is billed. With `dry_run`, the server makes all checks and places no call. A number is not called if any contact with this number denied consent to phone calls, or if the number is on the suppression list. The call begins with a sentence that says an AI is calling (`ai_disclosure` of the voice settings). Calls of test keys go to the simulator. A request dials at most once: send an `Idempotency-Key`, and after a failure repeat the request with the same key. Unknown fields are refused.',
    tag,
    permission: 'voice:write',
    body: PlaceCall,
    status: 201,
    location: '/voice/calls/{call_id}',
    shape: 'bare',
    response: PlacedCall,
    effect: 'outside',
    storedDays: 30,
    errors: {
      400: 'The call must not be placed; the text says what to do. With `code`: `consent_denied` (a contact with the number denied consent to phone calls) or `number_suppressed` (the number is on the suppression list)',
      402: 'The subscription is not active, or its minutes are used up',
      404: 'No persona of this organization has this id',
      429: 'The maximum number of running calls, or the rate limit, is reached',
      502: 'The provider refused the call; the text has the provider’s error code and message. No phone rang, and the Idempotency-Key can be used again',
    },
    example: { to_number: '+12025550100', instructions: 'Confirm the appointment for tomorrow at ten.' },
    handle: (request) => placeCall(request),
  }),
  endpoint({
    method: 'GET',
    path: '/voice/calls',
    name: 'list_calls',
    sdk: 'voice.calls.list',
    summary: 'List the calls',
    description: 'Newest first.',
    tag,
    permission: 'voice:read',
    query: CallQuery,
    shape: 'page',
    response: z.array(Call),
    handle: ({ org, context, query }) => listCalls(org, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path: '/voice/calls/{call_id}',
    name: 'get_call',
    sdk: 'voice.calls.get',
    summary: 'Read a call',
    tag,
    permission: 'voice:read',
    params,
    shape: 'data',
    response: Call,
    errors: notFound,
    handle: ({ org, params }) => findCall(org, params.call_id),
  }),
  endpoint({
    method: 'POST',
    path: '/voice/calls/{call_id}/cancel',
    name: 'cancel_call',
    sdk: 'voice.calls.cancel',
    summary: 'Cancel a call',
    description:
      'Ends the call at its provider while it rings or after it was answered. A canceled call stays canceled.',
    tag,
    permission: 'voice:write',
    params,
    shape: 'data',
    response: Call,
    effect: 'outside',
    errors: {
      ...notFound,
      409: 'The call has ended, is being dialed, or its provider cannot cancel it',
      502: 'The provider did not say whether it ended the call',
    },
    handle: (request) => cancelCall(request, request.params.call_id),
  }),
  endpoint({
    method: 'GET',
    path: '/voice/usage',
    name: 'get_voice_usage',
    sdk: 'voice.usage.get',
    summary: 'Read the usage of calls by month',
    tag,
    permission: 'voice:read',
    shape: 'data',
    response: Usage,
    handle: ({ org }) => org.read((tx) => readUsage(tx)),
  }),
]
