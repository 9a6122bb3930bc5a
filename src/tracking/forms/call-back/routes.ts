import { z } from 'zod'
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts'
import { PlacedCall } from '../../../voice/calls/schema.ts'
import { answerAbout } from '../endpoints/answer-about.ts'
import { approveRequest } from './place.ts'
import { declineRequest, listRequests, readRequest } from './requests.ts'
import { ApproveRequest, CallBackRequest, DeclineRequest, RequestPath, RequestQuery } from './schema.ts'

const base = '/call-back-requests'
const path = `${base}/{request_id}`
const tag = 'Call-back requests'
const [read, write] = ['voice:read', 'voice:write']
const unknown = 'No call-back request of this organization has this id'

export const callBackEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: base,
    name: 'list_call_back_requests',
    sdk: 'callBackRequests.list',
    summary: 'List the call-back requests',
    description: 'Newest first. Send `status=waiting` for the requests that wait for a person.',
    tag,
    permission: read,
    query: RequestQuery,
    shape: 'page',
    response: z.array(CallBackRequest),
    handle: ({ org, context, query }) => listRequests(org, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path,
    name: 'get_call_back_request',
    sdk: 'callBackRequests.get',
    summary: 'Read a call-back request',
    tag,
    permission: read,
    params: RequestPath,
    shape: 'data',
    response: CallBackRequest,
    errors: { 404: unknown },
    handle: ({ org, params }) => org.read((tx) => readRequest(tx, params.request_id)),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/approve`,
    name: 'approve_call_back_request',
    sdk: 'callBackRequests.approve',
    summary: 'Approve a call-back request, and call the person',
    description:
      'Places the call, with all checks of `POST /voice/calls` and within the `hours` of the form. Each request is dialed at most once, even after a failure or two approvals. The mode of the API key must be the mode of the request.',
    tag,
    permission: write,
    params: RequestPath,
    body: ApproveRequest,
    status: 201,
    location: '/voice/calls/{call_id}',
    shape: 'bare',
    response: PlacedCall,
    effect: 'outside',
    storedDays: 30,
    errors: {
      400: 'The call must not be placed; the text says what to do. The request still waits',
      402: 'The subscription is not active, or its minutes are used up',
      404: unknown,
      409: 'The request was decided, has expired, or has another mode',
      429: 'The maximum number of running calls, or the rate limit, is reached',
      502: 'The provider refused the call, and no phone rang. Crosswalk does not call again for this request',
    },
    example: { timezone: 'America/New_York' },
    handle: (request) => approveRequest(request, request.params.request_id, request.body.timezone ?? null),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/decline`,
    name: 'decline_call_back_request',
    sdk: 'callBackRequests.decline',
    summary: 'Decline a call-back request',
    description: 'Nobody is called. With `suppress`, nobody calls the number later either.',
    tag,
    permission: write,
    params: RequestPath,
    body: DeclineRequest,
    shape: 'data',
    response: CallBackRequest,
    errors: { 404: unknown, 409: 'The request was decided, or has expired' },
    example: { suppress: true },
    handle: ({ org, params, body }) =>
      org.transact(async (tx) => answerAbout(await declineRequest(tx, params.request_id, body.suppress))),
  }),
]
