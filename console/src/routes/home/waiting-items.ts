import type { Import } from '../../../../sdk/src/generated/types.ts'
import type { IconName } from '../../parts/icon.tsx'
import { noName } from '../../parts/no-name.ts'
import { count } from '../../parts/numbers.ts'
import { ago, isSoon, now } from '../../parts/times.ts'
import type { Scope } from '../../shell/scope.tsx'
import { latestImports, latestPushes, pushed } from './shared-lists.ts'

/** Something for a person to decide or repair, and where. */
export type WaitingItem = {
  id: string
  icon: IconName
  title: string
  about: string
  path: string
  act: string
}

const recentSeconds = 7 * 86_400

function importedRows({ created, updated, unchanged }: Import['counts']): string {
  const rows = created + updated + unchanged
  return `${count(rows)} ${rows === 1 ? 'row was' : 'rows were'}`
}

/** The requests of apps that wait for a person, as one item. */
export const approvalItems = (number: number): WaitingItem[] =>
  number === 0
    ? []
    : [
        {
          id: 'approvals',
          icon: 'done',
          title:
            number === 1
              ? 'An app waits for your approval'
              : `${number} requests of apps wait for your approval`,
          about: 'A call, a push to a CRM or a signature. It expires after 10 minutes',
          path: '/approvals',
          act: 'Decide',
        },
      ]

/** Reads what waits for a person. It waits for nobody who may not act on it. */
export async function readWaiting(scope: Scope, signal: AbortSignal): Promise<WaitingItem[]> {
  const { can } = scope
  const found = await Promise.all([
    can('voice:write') ? callRequests(scope, signal) : [],
    mayDecidePairs(can) ? proposals(scope, signal) : [],
    can('api_keys:manage') ? expiringKeys(scope, signal) : [],
    can('webhooks:manage') ? failingEndpoints(scope, signal) : [],
    can('contacts:write') || can('companies:write') ? refusedRows(scope) : [],
    can('crm:manage') ? brokenConnections(scope, signal) : [],
    can('crm:write') ? unfinishedPushes(scope) : [],
    can('signatures:write') ? failedSignatures(scope, signal) : [],
  ])
  return found.flat()
}

/** Merging a pair needs the permission for duplicates, and the permission for its records. */
const mayDecidePairs = (can: Scope['can']) =>
  can('duplicates:write') && (can('contacts:write') || can('companies:write'))

async function callRequests({ api, mode }: Scope, signal: AbortSignal): Promise<WaitingItem[]> {
  const { data, pagination } = await api.callBackRequests.list(
    { status: 'waiting', mode, limit: 1 },
    { signal },
  )
  const [first] = data
  if (!first) return []
  const { total } = pagination
  return [
    {
      id: 'call-requests',
      icon: 'phone',
      title: total === 1 ? 'One person asked to be called' : `${count(total)} people asked to be called`,
      about: `The newest: ${ago(first.created_at)}, with “${first.form_name}”`,
      path: '/calls/requests',
      act: 'Decide',
    },
  ]
}

async function proposals({ api }: Scope, signal: AbortSignal): Promise<WaitingItem[]> {
  const { data, pagination } = await api.duplicates.merges.list({ status: 'shadow', limit: 1 }, { signal })
  const [first] = data
  if (!first) return []
  const { total } = pagination
  return [
    {
      id: 'proposals',
      icon: 'pairs',
      title:
        total === 1
          ? 'One pair of records may be the same'
          : `${count(total)} pairs of records may be the same`,
      about: `The newest: ${first.survivor_name ?? noName} and ${first.loser_name ?? noName}`,
      path: '/duplicates',
      act: 'Decide',
    },
  ]
}

async function expiringKeys({ api }: Scope, signal: AbortSignal): Promise<WaitingItem[]> {
  const { keys } = await api.apiKeys.list({ signal })
  return keys.flatMap((key) => {
    const { api_key_id, name, expires_at, last_used_at, replaced_by_api_key_id } = key
    if (expires_at === null || expires_at <= now() || !isSoon(expires_at)) return []
    const successor = keys.find((other) => other.api_key_id === replaced_by_api_key_id)
    // After a rotation, the old token is meant to end. It is worth a look only if a program still uses it.
    if (successor && (last_used_at ?? 0) <= successor.created_at) return []
    return {
      id: api_key_id,
      icon: 'key',
      title: `The ${successor ? 'old token of the key' : 'key'} “${name}” expires ${ago(expires_at)}`,
      about: last_used_at === null ? 'It was never used' : `Last used ${ago(last_used_at)}`,
      path: '/settings/api',
      act: 'Open keys',
    }
  })
}

async function failingEndpoints({ api }: Scope, signal: AbortSignal): Promise<WaitingItem[]> {
  const { data } = await api.webhooks.endpoints.list({ limit: 100 }, { signal })
  return data.flatMap(({ endpoint_id, url, status }) =>
    status === 'enabled'
      ? []
      : {
          id: endpoint_id,
          icon: 'push',
          title: status === 'failing' ? 'A webhook endpoint fails' : 'A webhook endpoint is disabled',
          about: url,
          path: `/settings/webhooks/${endpoint_id}`,
          act: 'Open endpoint',
        },
  )
}

async function refusedRows(scope: Scope): Promise<WaitingItem[]> {
  const { data } = await latestImports(scope)
  return data.flatMap(({ import_id, file_name, counts, status, dry_run, finished_at }) =>
    counts.refused > 0 && status === 'succeeded' && !dry_run && (finished_at ?? 0) > now() - recentSeconds
      ? {
          id: import_id,
          icon: 'import',
          title: `${counts.refused === 1 ? '1 row' : `${count(counts.refused)} rows`} of ${file_name ?? 'an import'} ${counts.refused === 1 ? 'was' : 'were'} refused`,
          about: `${importedRows(counts)} imported ${ago(finished_at ?? 0)}`,
          path: `/imports/${import_id}`,
          act: 'View rows',
        }
      : [],
  )
}

async function brokenConnections({ api }: Scope, signal: AbortSignal): Promise<WaitingItem[]> {
  const { data } = await api.crm.connections.list({ limit: 100 }, { signal })
  return data.flatMap(({ connection_id, name, status, error }) =>
    status === 'ok'
      ? []
      : {
          id: connection_id,
          icon: 'push',
          title: `Pushes to “${name}” wait for you`,
          about: error?.message ?? 'The CRM refuses the access',
          path: `/crm/connections/${connection_id}`,
          act: 'Repair',
        },
  )
}

async function unfinishedPushes(scope: Scope): Promise<WaitingItem[]> {
  const { data } = await latestPushes(scope)
  return data.flatMap(({ job_id, kind, counts, status, error, finished_at }) =>
    finished_at !== null &&
    finished_at > now() - recentSeconds &&
    (status === 'refused' || status === 'failed' || counts.failed > 0)
      ? {
          id: job_id,
          icon: 'push',
          title:
            counts.failed > 0
              ? `The CRM refused ${count(counts.failed)} of ${count(counts.processed)} people`
              : `A push of ${pushed[kind]} pushed nobody`,
          about: error?.message ?? `The push of ${pushed[kind]} ended ${ago(finished_at)}`,
          path: `/crm/jobs/${job_id}`,
          act: 'View push',
        }
      : [],
  )
}

async function failedSignatures({ api }: Scope, signal: AbortSignal): Promise<WaitingItem[]> {
  const { data } = await api.signatures.mailboxes.list({ limit: 100 }, { signal })
  const failed = data.filter(({ deployment }) => deployment.status === 'failed')
  const [first] = failed
  if (!first) return []
  return [
    {
      id: 'signatures',
      icon: 'pencil',
      title:
        failed.length === 1
          ? `The signature of ${first.email} is not installed`
          : `${count(failed.length)} signatures are not installed`,
      about: first.deployment.error?.message ?? 'The push failed',
      path: first.template_id ? `/signatures/${first.template_id}` : '/signatures',
      act: 'Open template',
    },
  ]
}
