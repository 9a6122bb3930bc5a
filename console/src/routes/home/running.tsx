import { useQuery } from '@tanstack/react-query'
import { liveInterval } from '../../api/live.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { percent } from '../../parts/numbers.ts'
import { Progress } from '../../parts/progress.tsx'
import { State } from '../../parts/state.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './page.module.css'
import { PageLink } from './page-link.tsx'
import { readWork, type Work } from './running-work.ts'
import { SectionHead } from './section-head.tsx'

/** Imports, changes of all records, scans, pushes, signatures and calls that are running. If there are none, shows nothing. */
export function RunningWork() {
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

const WorkRow = ({ work: { icon, title, about, done, state, path, search } }: { work: Work }) => (
  <li className={styles.work}>
    <span className="three">
      <Icon name={icon} />
    </span>
    <div className="grow stack g4">
      <div className="rail base">
        <span className="strong cut">
          <PageLink path={path} search={search}>
            {title}
          </PageLink>
        </span>
        <span className="three t12 cut opt">{about}</span>
        <span className="end">{done === null ? <State kind="run">{state}</State> : percent(done)}</span>
      </div>
      {done !== null && <Progress label={title} done={done} />}
    </div>
  </li>
)
