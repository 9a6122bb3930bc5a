import { unended } from '../../api/unended.ts'
import type { IconName } from '../../parts/icon.tsx'
import { count } from '../../parts/numbers.ts'
import { phoneWords } from '../../parts/phone-number.ts'
import { changeWords } from '../../records/bulk/change-words.ts'
import type { Scope } from '../../shell/scope.tsx'
import { latestImports, latestPushes, pushed } from './shared-lists.ts'

/** Work that runs without a person. `done` is from 0 to 1; null if the rest is unknown. */
export type Work = {
  id: string
  icon: IconName
  title: string
  about: string
  done: number | null
  state: string
  path: string
  search?: Record<string, string>
}

/** Reads what runs now, as far as the role may see it. */
export async function readWork(scope: Scope, signal: AbortSignal): Promise<Work[]> {
  const { can, membership } = scope
  const found = await Promise.all([
    can('contacts:read') || can('companies:read') ? imports(scope, signal) : [],
    changes(scope, signal),
    can('duplicates:read') && membership.record_access === 'all' ? scans(scope, signal) : [],
    can('crm:read') ? pushes(scope, signal) : [],
    can('signatures:read') ? signatures(scope, signal) : [],
    can('voice:read') ? calls(scope, signal) : [],
  ])
  return found.flat()
}

const moving = ['queued', 'running'] as const

async function imports(scope: Scope, signal: AbortSignal): Promise<Work[]> {
  const found = await unended(
    (query) => scope.api.imports.list(query, { signal }),
    [...moving, 'reverting'],
    ({ import_id }) => import_id,
    latestImports(scope),
  )
  return found.map(({ import_id, file_name, counts, status }) => ({
    id: import_id,
    icon: 'import',
    title: file_name ?? 'An import',
    about: `${count(counts.rows_read)} rows read, ${count(counts.refused)} refused`,
    done: null,
    state: status,
    path: `/imports/${import_id}`,
  }))
}

async function changes({ api, can }: Scope, signal: AbortSignal): Promise<Work[]> {
  if (!(['contacts:write', 'companies:write', 'deals:write'] as const).some(can)) return []
  const found = await unended(
    (query) => api.bulkChanges.list(query, { signal }),
    moving,
    ({ bulk_change_id }) => bulk_change_id,
  )
  return found.map(({ bulk_change_id, entity, status, change, records, changed, unchanged, refused }) => ({
    id: bulk_change_id,
    icon: 'pencil',
    title: `Change of all ${plurals[entity]}${changeWords({ change })}`,
    about: `${count(changed + unchanged + refused)} of ${count(records)}, ${count(refused)} refused`,
    done: records ? Math.min(1, Math.floor(((changed + unchanged + refused) / records) * 100) / 100) : null,
    state: status,
    path: `/${plurals[entity]}`,
    // The board of deals does not show the change.
    ...(entity === 'deal' && { search: { view: 'list' } }),
  }))
}

async function scans({ api }: Scope, signal: AbortSignal): Promise<Work[]> {
  // At most one scan of each type runs, and one waits.
  const { data } = await api.duplicates.scans.list({ limit: 100 }, { signal })
  return data
    .filter(({ status }) => moving.some((one) => one === status))
    .map(({ scan_id, entity_type, progress, status }) => ({
      id: scan_id,
      icon: 'pairs',
      title: `Scan for duplicates among ${plurals[entity_type]}`,
      about: '',
      done: progress,
      state: status,
      path: '/duplicates',
    }))
}

const plurals = { contact: 'people', company: 'companies', deal: 'deals' } as const

async function pushes(scope: Scope, signal: AbortSignal): Promise<Work[]> {
  const found = await unended(
    (query) => scope.api.crm.jobs.list(query, { signal }),
    moving,
    ({ job_id }) => job_id,
    latestPushes(scope),
  )
  return found.map(({ job_id, kind, counts, population, status }) => ({
    id: job_id,
    icon: 'push',
    title: `Push of ${pushed[kind]} to the CRM`,
    about: `${count(counts.processed)}${population === null ? '' : ` of ${count(population)}`} people, ${count(counts.failed)} failed`,
    done: population ? Math.floor((counts.processed / population) * 100) / 100 : null,
    state: status,
    path: `/crm/jobs/${job_id}`,
  }))
}

/** All pushes of signatures together: a rollout has one for each mailbox. */
async function signatures({ api }: Scope, signal: AbortSignal): Promise<Work[]> {
  const lists = await Promise.all(
    (['queued', 'installing'] as const).map((status) =>
      api.signatures.pushes.list({ status, limit: 1 }, { signal }),
    ),
  )
  const number = lists.reduce((sum, { pagination }) => sum + pagination.total, 0)
  if (number === 0) return []
  return [
    {
      id: 'signatures',
      icon: 'pencil',
      title: 'Install of signatures',
      about: number === 1 ? '1 mailbox is left' : `${count(number)} mailboxes are left`,
      done: null,
      state: 'running',
      path: '/signatures',
    },
  ]
}

const live = ['dispatching', 'queued', 'ringing', 'in_progress'] as const

async function calls({ api }: Scope, signal: AbortSignal): Promise<Work[]> {
  const found = await unended(
    (query) => api.voice.calls.list(query, { signal }),
    live,
    ({ call_id }) => call_id,
  )
  return found.map(({ call_id, to_number, status }) => ({
    id: call_id,
    icon: 'phone',
    title: `Call to ${to_number === null ? 'an erased number' : phoneWords(to_number)}`,
    about: '',
    done: null,
    state: status.replaceAll('_', ' '),
    path: `/calls/${call_id}`,
  }))
}
