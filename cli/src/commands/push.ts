import type { CrmJob, CrmPreview, Crosswalk } from '../../../sdk/src/main.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, Failure, UsageError } from '../exit.ts'
import type { Flag, Values } from '../flag.ts'
import { secondsOf } from '../operations/values.ts'
import { visible } from '../output/visible.ts'
import { Progress } from '../terminal/progress.ts'

const filters: Readonly<Record<string, Flag>> = {
  tag: { value: 'text', text: 'Only people with exactly this tag.' },
  q: { value: 'text', text: 'Only people who match all given words. The beginning of a word is enough.' },
  email: { value: 'text', text: 'Only people with this address.' },
  phone: { value: 'text', text: 'Only people with this number.' },
  'lifecycle-stage': { value: 'stage', text: 'Only people with this lifecycle stage.' },
  'company-id': { value: 'company_id', text: 'Only people of this company.' },
  'import-id': { value: 'import_id', text: 'Only people of this import.' },
  'updated-since': { value: 'time', text: 'Only people who changed at or after this time.' },
}

const filterOf = (flag: string) => flag.replaceAll('-', '_')

const flags: Readonly<Record<string, Flag>> = {
  connection: {
    value: 'connection_id',
    sets: 'connection_id',
    text: 'The connection to push to. Optional if there is exactly one.',
  },
  ...Object.fromEntries(
    Object.entries(filters).map(([name, flag]) => [name, { ...flag, sets: `filter.${filterOf(name)}` }]),
  ),
  'contact-id': { value: 'contact_id', many: true, sets: 'contact_ids', text: 'Only these people.' },
  'resend-unchanged': { text: 'Also sends people who did not change since the last push.' },
  'confirm-large': { text: 'With --yes: allows a push of more people than the confirmation threshold.' },
  'dry-run': { text: 'Prints the preview, and pushes nothing.' },
  detach: { text: 'Ends when the push has begun, and does not show its progress.' },
}

const command = (kind: 'leads' | 'contacts'): Command => ({
  name: `push ${kind}`,
  args: [],
  summary: `Push people to a CRM as ${kind}: preview, ask, push, and follow the job to its end`,
  description:
    'The command first shows how many people the push would create and update, and then asks for a confirmation. Each person exists only once in the CRM, even if you push several times. The exit code is 1 if the push of some people failed.',
  flags,
  examples: [`push ${kind} --tag vip`, `push ${kind} --updated-since 1d --yes`],
  prints: { operations: [`crm.${kind}.preview`, 'crm.jobs.get'] },
  run: (context, { values }) => run(context, kind, values),
})

export const pushLeads = command('leads')
export const pushContacts = command('contacts')

async function run(context: Context, kind: 'leads' | 'contacts', values: Values): Promise<number> {
  const { io, result } = context
  const { signal } = io
  const client = context.client()
  const request = { connection_id: await connectionOf(client, values, signal), ...selectionOf(values) }
  const preview = await client.crm[kind].preview(request, { signal })
  if (values['dry-run']) {
    await result.value(preview)
    return exitCodes.done
  }
  if (preview.count === 0) throw new Failure('Nobody matches, so nothing was pushed.')
  const isLarge = preview.confirmation_required
  if (isLarge && values.yes && !values['confirm-large'])
    throw new UsageError(
      `The push has ${preview.count} people, more than the threshold of ${preview.threshold}. Add --confirm-large.`,
    )
  await context.confirm(questionOf(preview, kind))
  const more = { resend_unchanged: values['resend-unchanged'] === true, large_population_confirmed: isLarge }
  const job = await client.crm[kind].push({ ...request, ...more }, { signal })
  if (values.detach) {
    await result.value(job, { idMember: 'job_id' })
    return exitCodes.done
  }
  const ended = await follow(context, client, job)
  await result.value(ended, { idMember: 'job_id' })
  if (ended.error) await context.say(visible(ended.error.message))
  if (ended.counts.failed > 0)
    await context.say(`To see who failed:\n  crosswalk crm jobs items list ${ended.job_id} --outcome failed`)
  return ended.status === 'succeeded' && ended.counts.failed === 0 ? exitCodes.done : exitCodes.refused
}

function selectionOf(values: Values): object {
  const filter = Object.fromEntries(
    Object.keys(filters).flatMap((flag) => {
      const given = values[flag] as string | undefined
      if (given === undefined) return []
      const value = flag === 'updated-since' ? secondsOf('--updated-since', given) : given
      return [[filterOf(flag), value]]
    }),
  )
  return {
    ...(Object.keys(filter).length > 0 ? { filter } : {}),
    ...(values['contact-id'] === undefined ? {} : { contact_ids: values['contact-id'] }),
  }
}

/** Returns the chosen connection, or the only one. @throws UsageError */
async function connectionOf(client: Crosswalk, values: Values, signal: AbortSignal): Promise<string> {
  if (values.connection !== undefined) return String(values.connection)
  const { data: connections } = await client.crm.connections.list({}, { signal })
  const [only, ...others] = connections
  if (only && others.length === 0) return only.connection_id
  const choices = connections.map(
    ({ connection_id, name, provider }) => `\n  ${connection_id}  ${provider}  ${name}`,
  )
  throw new UsageError(
    only
      ? `There are several connections. Choose one with --connection:${choices.join('')}`
      : 'There is no connection to a CRM yet. Make one: crosswalk crm connections create --help',
  )
}

function questionOf(
  { count, would_create, would_update, skipped, threshold, confirmation_required }: CrmPreview,
  kind: string,
) {
  const shown = (people: number) => people.toLocaleString('en')
  const left = Object.entries(skipped).map(([reason, people]) => `${shown(people)} skipped (${reason})`)
  const parts = [`${shown(would_create)} new`, `${shown(would_update)} known to the CRM`, ...left]
  return [
    `Push ${shown(count)} ${count === 1 ? 'person' : 'people'} as ${kind}: ${parts.join(', ')}.`,
    ...(confirmation_required ? [`This is more than the threshold of ${shown(threshold)}.`] : []),
  ].join('\n')
}

async function follow(context: Context, client: Crosswalk, { job_id }: CrmJob): Promise<CrmJob> {
  const { io } = context
  const progress = new Progress(io)
  try {
    return await client.crm.jobs.wait(job_id, {
      signal: io.signal,
      pollMs: 1000,
      onProgress({ population, counts: { processed, failed } }) {
        const share = population ? Math.min(1, processed / population) : null
        progress.update(share, `${processed} of ${population ?? '…'} people, ${failed} failed`)
      },
    })
  } catch (error) {
    await context.say(`The push continues without this command:\n  crosswalk crm jobs get ${job_id}`)
    throw error
  } finally {
    progress.stop()
  }
}
