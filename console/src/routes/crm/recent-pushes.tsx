import { useInfiniteQuery } from '@tanstack/react-query'
import type { CrmConnection, CrmJob } from '../../../../sdk/src/generated/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { count, percent } from '../../parts/numbers.ts'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { jobsQuery } from './crm-queries.ts'
import styles from './push-page.module.css'
import { isUnfinished, jobState, kindNames, kindOfJob, kindWords, partDone } from './words.ts'

const shownMax = 8

/** The latest pushes to a connection, beside a new one. */
export function RecentPushes({ connection }: { connection: CrmConnection }) {
  const jobs = useInfiniteQuery(jobsQuery(useScope(), connection.connection_id))
  return (
    <aside className="pad stack" aria-label="Recent pushes">
      <h2>Recent pushes to {connection.name}</h2>
      <Loaded query={jobs}>
        {({ pages: [newest] }) =>
          !newest || newest.data.length === 0 ? (
            <p className="two">Nothing was pushed yet.</p>
          ) : (
            <ul>
              {newest.data.slice(0, shownMax).map((job) => (
                <RecentPush key={job.job_id} job={job} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </aside>
  )
}

function RecentPush({ job }: { job: CrmJob }) {
  const { orgId } = useScope()
  const { job_id: jobId, population, refusal, counts, created_at } = job
  const { kind, word } = jobState(job)
  const done = isUnfinished(job) ? partDone(job) : null
  const people = population ?? refusal?.population
  return (
    <li className={styles.before}>
      <div className="stack g4 grow">
        <Link className="cut link" to="/o/$orgId/crm/jobs/$jobId" params={{ orgId, jobId }}>
          {people === undefined ? kindNames[kindOfJob(job)] : kindWords(people, kindOfJob(job))}
        </Link>
        <span className="t12">
          <State kind={kind}>
            {word}
            {done !== null && ` ${percent(done)}`}
            {counts.failed > 0 && `, ${count(counts.failed)} failed`}
          </State>
        </span>
      </div>
      <span className="three t12">
        <Time at={created_at} />
      </span>
    </li>
  )
}
