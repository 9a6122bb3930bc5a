import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../parts/button.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { count } from '../../parts/numbers.ts'
import { ago, isSoon, now } from '../../parts/times.ts'
import { approvalsQuery } from '../../shell/approvals-query.ts'
import { type Scope, useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { SectionHead } from './section-head.tsx'

/** Something for a person to decide or repair. */
type Task = { id: string; icon: IconName; title: string; about: string; path?: string; act?: string }

const recentSeconds = 7 * 86_400

/** The tasks that wait for a person: open proposals, expiring keys, failing webhooks, refused rows. */
export function Waiting() {
  const scope = useScope()
  const { orgId, mode } = scope
  const tasks = useQuery({
    queryKey: ['tasks', orgId, mode],
    queryFn: ({ signal }) => readTasks(scope, signal),
    refetchInterval: 30_000,
  })
  // The navigation polls it.
  const { data: approvals = [] } = useQuery({ ...approvalsQuery(scope), enabled: false })
  const shown = [...approvalTask(approvals.length), ...(tasks.data ?? [])]
  return (
    <section className="pad stack g0" aria-label="Waiting for you">
      <SectionHead title="Waiting for you" number={shown.length} />
      <Loaded query={tasks} rows={1}>
        {() =>
          shown.length === 0 ? (
            <p className="two">Nothing waits for you.</p>
          ) : (
            <ul className="rule">
              {shown.map((task) => (
                <TaskRow key={task.id} task={task} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function TaskRow({ task: { icon, title, about, path, act } }: { task: Task }) {
  const { orgId } = useScope()
  return (
    <li className={styles.task}>
      <span className="two">
        <Icon name={icon} />
      </span>
      <div className="grow stack g0">
        <span className="strong">{title}</span>
        <span className="two">{about}</span>
      </div>
      {path && act && (
        <Link {...buttonLook({})} to={`/o/$orgId${path}` as '/o/$orgId'} params={{ orgId }}>
          {act}
        </Link>
      )}
    </li>
  )
}

const approvalTask = (number: number): Task[] =>
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

async function readTasks(scope: Scope, signal: AbortSignal): Promise<Task[]> {
  const { can } = scope
  const found = await Promise.all([
    can('duplicates:read') ? proposals(scope, signal) : [],
    can('api_keys:read') ? expiringKeys(scope, signal) : [],
    can('webhooks:read') ? failingEndpoints(scope, signal) : [],
    can('contacts:read') || can('companies:read') ? refusedRows(scope, signal) : [],
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
          path: '/settings/api',
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
          path: '/settings/webhooks',
          act: 'Open webhooks',
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
        }
      : [],
  )
}
