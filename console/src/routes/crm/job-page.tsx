import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CrmJob } from '../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../api/live.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Figures } from '../../parts/figures.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { LostProgress } from '../../parts/lost-progress.tsx'
import { Note } from '../../parts/note.tsx'
import { count, percent } from '../../parts/numbers.ts'
import { Progress } from '../../parts/progress.tsx'
import { State } from '../../parts/state.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { connectionsQuery } from '../../queries/crm-connections.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useParams, usePlace, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './job-page.module.css'
import { JobPeople } from './job-people.tsx'
import { isUnfinished, jobState, kindNames, kindOfJob, partDone, peopleWords } from './words.ts'

/** One push: its progress, and the people whom the CRM refused. */
export function JobPage() {
  const { orgId, api } = useScope()
  const { jobId } = useParams('/o/$orgId/crm/jobs/$jobId')
  const job = useQuery({
    queryKey: ['crm-job', orgId, jobId],
    queryFn: ({ signal }) => api.crm.jobs.get(jobId, { signal }),
    refetchInterval: liveInterval(isUnfinished, false),
  })
  return (
    <Page name="CRM" part="Push">
      {job.data && isUnfinished(job.data) && <LostProgress query={job} name="push" />}
      <Loaded query={job}>{(found) => <Job key={found.job_id} job={found} />}</Loaded>
    </Page>
  )
}

function Job({ job }: { job: CrmJob }) {
  const scope = useScope()
  const { orgId } = scope
  const connections = useQuery(connectionsQuery(scope))
  const connection = connections.data?.find(({ connection_id }) => connection_id === job.connection_id)
  const { kind, word } = jobState(job)
  const { created_at, finished_at, mode } = job
  return (
    <>
      <div className="pad stack g16">
        <p className="t12">
          <Link to="/o/$orgId/crm" params={{ orgId }} className="link">
            All pushes
          </Link>
        </p>
        <div className="rail wrap g12">
          <h2 className="t16">
            {kindNames[kindOfJob(job)]} to{' '}
            {connection?.name ?? (connections.data ? 'a deleted connection' : '…')}
          </h2>
          <span role="status">
            <State kind={kind}>{word}</State>
          </span>
          {mode === 'test' && <Tag kind="test">test</Tag>}
          <span className="three t12">
            {finished_at === null ? 'started ' : 'ended '}
            <Time at={finished_at ?? created_at} />
          </span>
        </div>
        <Counts job={job} />
        <Problem job={job} />
        <Acts job={job} />
      </div>
      {job.population !== null && job.population > 0 && <JobPeople job={job} />}
    </>
  )
}

function Counts({ job }: { job: CrmJob }) {
  const { population, counts } = job
  const done = partDone(job)
  if (population === null || done === null) return null
  const rounded = Math.floor(done * 100) / 100
  const { processed, created, updated, unchanged, skipped, failed } = counts
  return (
    <>
      <div className="stack g4">
        <p className="rail base">
          <span className="t26 strong">{percent(rounded)}</span>
          <span className="two">
            {count(processed)} of {peopleWords(population)}
          </span>
        </p>
        <div className={styles.progress}>
          <Progress label="People processed" done={rounded} />
        </div>
      </div>
      <Figures
        figures={[
          { name: 'Created', value: count(created) },
          { name: 'Updated', value: count(updated) },
          { name: 'Not changed, not sent', value: count(unchanged) },
          { name: 'Left out', value: count(skipped) },
          { name: 'Failed', value: count(failed), isBad: failed > 0 },
        ]}
      />
    </>
  )
}

/** Why the push was refused, failed or waits, with what to do. */
function Problem({ job }: { job: CrmJob }) {
  const { orgId, can } = useScope()
  const search = useSearch('/o/$orgId/crm/jobs/$jobId')
  const { hash } = usePlace()
  const { refusal, error, connection_id: connectionId, status } = job
  if (refusal)
    return (
      <Note kind="warn">
        <div className="stack">
          <p>
            <b>Nobody was pushed.</b> When the push began, it had {peopleWords(refusal.population)}. That is
            more than the {count(refusal.threshold)} that need a confirmation.
          </p>
          {can('crm:write') && (
            <span>
              <Link
                to="/o/$orgId/crm/push"
                params={{ orgId }}
                search={{ ...search, connection: connectionId, kind: kindOfJob(job) }}
                hash={hash}
                {...buttonLook({})}
              >
                Review the new count
              </Link>
            </span>
          )}
        </div>
      </Note>
    )
  if (!error) return null
  return (
    <Note kind={status === 'failed' ? 'bad' : 'warn'}>
      <div className="stack">
        <p>
          {isUnfinished(job) && <b>The push waits and tries again by itself. </b>}
          {error.message}
        </p>
        <Link className="link" to="/o/$orgId/crm/connections/$connectionId" params={{ orgId, connectionId }}>
          Open the connection
        </Link>
      </div>
    </Note>
  )
}

function Acts({ job }: { job: CrmJob }) {
  const { orgId, mode, api, can } = useScope()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { job_id, counts, population, status } = job
  const cancel = useSubmit(async () => api.crm.jobs.cancel(job_id), {
    onDone: (canceled) => queries.setQueryData(['crm-job', orgId, job_id], canceled),
  })
  const retry = useSubmit(async () => api.crm.jobs.retry(job_id), {
    onDone: ({ job_id: jobId }) =>
      void navigate({ to: '/o/$orgId/crm/jobs/$jobId', params: { orgId, jobId } }),
  })
  if (!can('crm:write')) return null
  const isLeft = counts.failed > 0 || counts.processed < (population ?? 0)
  const mayRetry = !isUnfinished(job) && status !== 'refused' && isLeft && job.mode === mode
  const mayCancel = isUnfinished(job) && !job.cancel_requested && (job.mode === mode || mode === 'live')
  const problem = cancel.rest ?? retry.rest
  return (
    <>
      {problem && <Note kind="bad">{problem}</Note>}
      {mayCancel && (
        <div className="rail">
          <Button isBusy={cancel.isBusy} onClick={() => cancel.submit()}>
            Cancel the push
          </Button>
        </div>
      )}
      {mayRetry && (
        <div className="rail wrap">
          <Button icon="rotate" isBusy={retry.isBusy} onClick={() => retry.submit()}>
            {counts.failed > 0 && counts.processed >= (population ?? 0)
              ? `Retry ${counts.failed === 1 ? 'the one that failed' : `the ${count(counts.failed)} that failed`}`
              : 'Push the rest'}
          </Button>
          <span className="two">It pushes only people whom this push did not bring into the CRM.</span>
        </div>
      )}
    </>
  )
}
