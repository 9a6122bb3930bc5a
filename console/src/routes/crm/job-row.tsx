import type { CrmJob } from '../../../../sdk/src/generated/types.ts'
import { count, percent } from '../../parts/numbers.ts'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { isUnfinished, jobState, kindNames, kindOfJob, partDone } from './words.ts'

/** Shows one push, with the link to its page. */
export function JobRow({ job, connection }: { job: CrmJob; connection: string }) {
  const { orgId } = useScope()
  const { job_id: jobId, population, refusal, counts, created_at } = job
  const { kind, word } = jobState(job)
  const done = isUnfinished(job) ? partDone(job) : null
  const people = population ?? refusal?.population
  return (
    <tr>
      <th scope="row">
        <Link className="cut link" to="/o/$orgId/crm/jobs/$jobId" params={{ orgId, jobId }}>
          {kindNames[kindOfJob(job)]} to {connection}
        </Link>
      </th>
      <td>
        <State kind={kind}>
          {word}
          {done !== null && ` ${percent(done)}`}
        </State>
      </td>
      <td className="opt num">{people === undefined ? <span className="three">–</span> : count(people)}</td>
      <td className={counts.failed > 0 ? 'opt num bad' : 'opt num'}>{count(counts.failed)}</td>
      <td className="opt">
        <Time at={created_at} />
      </td>
    </tr>
  )
}
