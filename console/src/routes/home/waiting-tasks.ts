import type { IconName } from '../../parts/icon.tsx'
import { count } from '../../parts/numbers.ts'
import { ago, isSoon, now } from '../../parts/times.ts'
import type { Scope } from '../../shell/scope.tsx'
import { type Place, pageAt } from './place.tsx'

/** Something for a person to decide or repair, and where. */
export type Task = { id: string; icon: IconName; title: string; about: string; place: Place; act: string }

const recentSeconds = 7 * 86_400

/** The requests of apps that wait for a person, as one task. */
export const approvalTask = (number: number): Task[] =>
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
          place: pageAt('/approvals'),
          act: 'Decide',
        },
      ]

/** Reads what waits for a person, as far as the role may see it. */
export async function readTasks(scope: Scope, signal: AbortSignal): Promise<Task[]> {
  const { can } = scope
  const found = await Promise.all([
    can('duplicates:read') ? proposals(scope, signal) : [],
    can('api_keys:read') ? expiringKeys(scope, signal) : [],
    can('webhooks:read') ? failingEndpoints(scope, signal) : [],
    can('contacts:read') || can('companies:read') ? refusedRows(scope, signal) : [],
    can('crm:read') ? brokenConnections(scope, signal) : [],
    can('crm:read') ? unfinishedPushes(scope, signal) : [],
    can('signatures:read') ? failedSignatures(scope, signal) : [],
  ])
  return found.flat()
}

async function proposals({ api }: Scope, signal: AbortSignal): Promise<Task[]> {
  const { data, pagination } = await api.duplicates.merges.list({ status: 'shadow', limit: 1 }, { signal })
  const [first] = data
  if (!first) return []
  const { total } = pagination
  return [
    {
      id: 'proposals',
      icon: 'pairs',
      title:
        total === 1 ? 'One pair may be the same record' : `${count(total)} pairs may be the same records`,
      about: `The newest: ${first.survivor_name ?? 'no name'} and ${first.loser_name ?? 'no name'}`,
      place: pageAt('/duplicates'),
      act: 'Decide',
    },
  ]
}

async function expiringKeys({ api }: Scope, signal: AbortSignal): Promise<Task[]> {
  const { keys } = await api.apiKeys.list({ signal })
  return keys.flatMap(({ api_key_id, name, expires_at, last_used_at }) =>
    expires_at !== null && expires_at > now() && isSoon(expires_at)
      ? {
          id: api_key_id,
          icon: 'key',
          title: `The key “${name}” expires ${ago(expires_at)}`,
          about: last_used_at === null ? 'It was never used' : `Last used ${ago(last_used_at)}`,
          place: pageAt('/settings/api'),
          act: 'Open keys',
        }
      : [],
  )
}

async function failingEndpoints({ api }: Scope, signal: AbortSignal): Promise<Task[]> {
  const { data } = await api.webhooks.endpoints.list({ limit: 100 }, { signal })
  return data.flatMap(({ endpoint_id, url, status }) =>
    status === 'enabled'
      ? []
      : {
          id: endpoint_id,
          icon: 'push',
          title: status === 'failing' ? 'A webhook endpoint fails' : 'A webhook endpoint is disabled',
          about: url,
          place: { page: '/settings/webhooks', path: `/settings/webhooks/${endpoint_id}` },
          act: 'Open endpoint',
        },
  )
}

async function refusedRows({ api }: Scope, signal: AbortSignal): Promise<Task[]> {
  const { data } = await api.imports.list({ limit: 20 }, { signal })
  return data.flatMap(({ import_id, file_name, counts, status, dry_run, finished_at }) =>
    counts.refused > 0 && status === 'succeeded' && !dry_run && (finished_at ?? 0) > now() - recentSeconds
      ? {
          id: import_id,
          icon: 'import',
          title: `${count(counts.refused)} rows of ${file_name ?? 'an import'} were refused`,
          about: `${count(counts.created)} rows were imported ${ago(finished_at ?? 0)}`,
          place: { page: '/imports', path: `/imports/${import_id}` },
          act: 'View rows',
        }
      : [],
  )
}

async function brokenConnections({ api }: Scope, signal: AbortSignal): Promise<Task[]> {
  const { data } = await api.crm.connections.list({ limit: 100 }, { signal })
  return data.flatMap(({ connection_id, name, status, error }) =>
    status === 'ok'
      ? []
      : {
          id: connection_id,
          icon: 'push',
          title: `Pushes to “${name}” wait for you`,
          about: error?.message ?? 'The CRM refuses the access',
          place: { page: '/crm', path: `/crm/connections/${connection_id}` },
          act: 'Repair',
        },
  )
}

async function unfinishedPushes({ api }: Scope, signal: AbortSignal): Promise<Task[]> {
  const { data } = await api.crm.jobs.list({ limit: 20 }, { signal })
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
              : `A push of ${kind} pushed nobody`,
          about: error?.message ?? `The push of ${kind} ended ${ago(finished_at)}`,
          place: { page: '/crm', path: `/crm/jobs/${job_id}` },
          act: 'View push',
        }
      : [],
  )
}

async function failedSignatures({ api }: Scope, signal: AbortSignal): Promise<Task[]> {
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
      place: first.template_id
        ? { page: '/signatures', path: `/signatures/${first.template_id}` }
        : pageAt('/signatures'),
      act: 'Open template',
    },
  ]
}
