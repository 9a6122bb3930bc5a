import { operatorOf } from '../platform/actor.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { OperatorError } from '../platform/report.ts'
import { type ListedEndpoint, listAllEndpoints, ownerOfEndpoint } from '../webhooks/operator.ts'
import { requestReplay } from '../webhooks/replays/replays.ts'
import { type Command, readId } from './command.ts'

const listedMax = 500
const statuses = ['enabled', 'failing', 'disabled']

function endpointLine(endpoint: ListedEndpoint): string {
  const { endpoint_id: id, org_id: orgId, status, disabled_reason: reason, failures } = endpoint
  const { lag_seconds: lag, waiting_retries: retries } = endpoint
  const facts = [...(reason === null ? [] : [reason]), ...(failures > 0 ? [`${failures} failures`] : [])]
  const state = facts.length > 0 ? `${status} (${facts.join(', ')})` : status
  const behind = lag === null ? 'has all events' : `${lag} s behind`
  return `${id}  ${state}  ${behind}  ${retries} retries  org ${orgId}\n    ${endpoint.mode}  ${endpoint.url}`
}

/** Reads a time such as 2026-11-22T10:00:00Z. @returns Unix seconds */
function readTime(text: unknown, name: string): number {
  const at = Date.parse(String(text))
  if (Number.isNaN(at)) throw new OperatorError(`--${name} must be a time such as 2026-11-22T10:00:00Z.`)
  return Math.floor(at / 1000)
}

export const webhookCommands: Command[] = [
  {
    name: 'webhooks list',
    args: [],
    summary: `List the webhook endpoints of all organizations, the newest ${listedMax} at most`,
    options: { org: { value: '<org_id>' }, status: { value: statuses.join('|') } },
    async run({ scope, print }, _args, { org, status }) {
      if (status !== undefined && !statuses.includes(String(status)))
        throw new OperatorError('--status must be enabled, failing or disabled.')
      const filter = {
        orgId: org === undefined ? undefined : readId(String(org), '--org'),
        status: status === undefined ? undefined : String(status),
      }
      const found = await scope.read((tx) => listAllEndpoints(tx, filter, listedMax + 1))
      const endpoints = found.slice(0, listedMax)
      const hasMore = found.length > listedMax
      print({ endpoints, has_more: hasMore }, [
        ...endpoints.map(endpointLine),
        ...(endpoints.length === 0 ? ['There is no such webhook endpoint.'] : []),
        ...(hasMore ? [`There are more endpoints; these are the newest ${listedMax}.`] : []),
      ])
    },
  },
  {
    name: 'webhooks replay',
    args: ['<endpoint_id>'],
    summary: 'Send the events of a period to an endpoint again',
    options: {
      from: {
        value: '<time>',
        required: true,
        missing: 'a time such as 2026-11-22T10:00:00Z',
      },
      to: { value: '<time>' },
      'failed-only': {},
    },
    async run({ scope, print }, [id], values) {
      const endpointId = readId(id, 'endpoint_id')
      const from = readTime(values.from, 'from')
      const to = values.to === undefined ? undefined : readTime(values.to, 'to')
      const replay = await scope.transact(async (tx) => {
        const owner = await ownerOfEndpoint(tx, endpointId)
        if (owner === undefined)
          throw new OperatorError(
            `No webhook endpoint has the id ${endpointId}; npm run crosswalk -- webhooks list shows them.`,
          )
        const request = { from, to, types: undefined, failed_only: values['failed-only'] === true }
        return requestReplay(
          new OrgTx(tx, { ...operatorOf(owner.orgId), mode: owner.mode }),
          endpointId,
          request,
        )
      })
      print(replay, [`The replay ${replay.replay_id} has begun. The worker sends the events.`])
    },
  },
]
