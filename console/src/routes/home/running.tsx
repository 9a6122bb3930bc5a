import { useQuery } from '@tanstack/react-query'
import { liveInterval } from '../../api/live.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { count, percent } from '../../parts/numbers.ts'
import { State } from '../../parts/state.tsx'
import { type Scope, useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { SectionHead } from './section-head.tsx'

/** Work that runs without a person. `done` is from 0 to 1; null if the rest is unknown. */
type Work = {
  id: string
  icon: IconName
  title: string
  about: string
  done: number | null
  state: string
}

/** Imports, pushes and calls that are running. If there are none, shows nothing. */
export function Running() {
  const scope = useScope()
  const { orgId, mode } = scope
  const work = useQuery({
    queryKey: ['running', orgId, mode],
    queryFn: ({ signal }) => readWork(scope, signal),
    refetchInterval: liveInterval(({ length }: Work[]) => length > 0),
  })
  if (work.isPending || work.data?.length === 0) return null
  return (
    <section className="pad rule stack g0" aria-label="Running">
      <SectionHead title="Running" number={work.data?.length ?? 0} />
      <Loaded query={work}>
        {(found) => (
          <ul className="rule">
            {found.map((one) => (
              <WorkRow key={one.id} work={one} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

const WorkRow = ({ work: { icon, title, about, done, state } }: { work: Work }) => (
  <li className={styles.work}>
    <span className="three">
      <Icon name={icon} />
    </span>
    <div className="grow stack g4">
      <div className="rail base">
        <span className="strong cut">{title}</span>
        <span className="three t12 cut opt">{about}</span>
        <span className="end">{done === null ? <State kind="run">{state}</State> : percent(done)}</span>
      </div>
      {done !== null && (
        <div
          className={styles.ruler}
          role="progressbar"
          aria-label={title}
          aria-valuenow={Math.round(done * 100)}
          style={{ '--value': done * 100 } as object}
        >
          <i />
        </div>
      )}
    </div>
  </li>
)

async function readWork(scope: Scope, signal: AbortSignal): Promise<Work[]> {
  const { can } = scope
  const found = await Promise.all([
    can('contacts:read') || can('companies:read') ? imports(scope, signal) : [],
    can('crm:read') ? pushes(scope, signal) : [],
    can('voice:read') ? calls(scope, signal) : [],
  ])
  return found.flat()
}

const moving = ['uploading', 'queued', 'running', 'reverting']

async function imports({ api }: Scope, signal: AbortSignal): Promise<Work[]> {
  const { data } = await api.imports.list({ limit: 20 }, { signal })
  return data
    .filter(({ status }) => moving.includes(status))
    .map(({ import_id, file_name, counts, status }) => ({
      id: import_id,
      icon: 'import',
      title: file_name ?? 'An import',
      about: `${count(counts.rows_read)} rows read, ${count(counts.refused)} refused`,
      done: null,
      state: status,
    }))
}

async function pushes({ api }: Scope, signal: AbortSignal): Promise<Work[]> {
  const { data } = await api.crm.jobs.list({ limit: 20 }, { signal })
  return data
    .filter(({ status }) => moving.includes(status))
    .map(({ job_id, kind, counts, population, status }) => ({
      id: job_id,
      icon: 'push',
      title: `Push of ${kind} to the CRM`,
      about: `${count(counts.processed)}${population === null ? '' : ` of ${count(population)}`} people, ${count(counts.failed)} failed`,
      done: population ? Math.floor((counts.processed / population) * 100) / 100 : null,
      state: status,
    }))
}

const live = ['dispatching', 'queued', 'ringing', 'in_progress'] as const

async function calls({ api }: Scope, signal: AbortSignal): Promise<Work[]> {
  const { data } = await api.voice.calls.list({ limit: 50 }, { signal })
  return data
    .filter(({ status }) => live.some((one) => one === status))
    .map(({ call_id, to_number, status }) => ({
      id: call_id,
      icon: 'phone',
      title: `Call to ${to_number ?? 'an erased number'}`,
      about: '',
      done: null,
      state: status.replaceAll('_', ' '),
    }))
}
