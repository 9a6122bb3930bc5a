import type { Tx } from '../platform/db/tx.ts'
import { jobNames, jobStates, type ListedJob, listJobs, retryFailed } from '../platform/jobs/engine/list.ts'
import { OperatorError } from '../platform/report.ts'
import { type Command, readId, type Values } from './command.ts'

const listedMax = 500

async function readName(tx: Tx, { name }: Values): Promise<string | undefined> {
  if (name === undefined) return undefined
  const names = await jobNames(tx)
  if (names.includes(String(name))) return String(name)
  throw new OperatorError(`No job has the name "${name}"; there are ${names.join(', ')}.`)
}

function jobLine(job: ListedJob): string {
  const at = (seconds: number | null) => new Date((seconds ?? 0) * 1000).toISOString().replace('.000', '')
  const when = {
    queued: `due ${at(job.due_at)}`,
    running: `since ${at(job.started_at)}`,
    failed: `at ${at(job.failed_at)}`,
  }[job.state]
  const tries = `${job.tries} ${job.tries === 1 ? 'try' : 'tries'}`
  const words = [job.job_id, job.name, job.state, when, tries, `org ${job.org_id ?? 'none'}`].join('  ')
  return job.reason === null ? words : `${words}\n    ${job.reason}`
}

export const jobCommands: Command[] = [
  {
    name: 'jobs list',
    args: [],
    summary: `List the background jobs that are not done, the newest ${listedMax} at most`,
    options: { state: { value: 'queued|running|failed' }, name: { value: '<name>' } },
    async run({ scope, print }, _args, values) {
      const state = jobStates.find((known) => known === values.state)
      if (values.state !== undefined && !state) {
        throw new OperatorError(
          `--state must be ${jobStates.slice(0, -1).join(', ')} or ${jobStates.at(-1)}.`,
        )
      }
      const found = await scope.read(async (tx) =>
        listJobs(tx, { state, name: await readName(tx, values) }, listedMax + 1),
      )
      const jobs = found.slice(0, listedMax)
      const hasMore = found.length > listedMax
      print({ jobs, has_more: hasMore }, [
        ...jobs.map(jobLine),
        ...(jobs.length === 0 ? [`There is no ${state ?? 'unfinished'} job.`] : []),
        ...(hasMore ? [`There are more jobs; these are the newest ${listedMax}.`] : []),
      ])
    },
  },
  {
    name: 'jobs retry',
    args: ['[job_id]'],
    summary: 'Start a failed job again, or all of them',
    options: { 'all-failed': {}, name: { value: '<name>' } },
    async run({ scope, print }, [id], values) {
      const all = values['all-failed'] === true
      if (all === (id !== undefined)) throw new OperatorError('Add either a job_id or --all-failed.')
      if (!all && values.name !== undefined) throw new OperatorError('--name needs --all-failed.')
      const jobId = id === undefined ? undefined : readId(id, 'job_id')
      const retried = await scope.transact(async (tx) =>
        retryFailed(tx, { jobId, name: await readName(tx, values) }),
      )
      if (!all && retried === 0) {
        throw new OperatorError(
          `No failed job has the id ${jobId}; npm run crosswalk -- jobs list --state failed shows them.`,
        )
      }
      print({ retried }, [
        retried === 0
          ? 'No job has failed.'
          : `${retried.toLocaleString('en')} ${retried === 1 ? 'job starts' : 'jobs start'} again.`,
      ])
    },
  },
]
