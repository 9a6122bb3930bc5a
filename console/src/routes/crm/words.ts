import type {
  CrmItemOutcome,
  CrmJob,
  CrmJobStatus,
  CrmProvider,
} from '../../../../sdk/src/generated/types.ts'
import { count } from '../../parts/numbers.ts'

export const providerNames: Record<CrmProvider, string> = {
  hubspot: 'HubSpot',
  salesforce: 'Salesforce',
  espocrm: 'EspoCRM',
  sandbox: 'Sandbox',
}

export const kindNames = { leads: 'Leads', contacts: 'Contacts' } as const
/** For example “1 Lead” or “12 Contacts”. */
export const kindWords = (n: number, kind: 'leads' | 'contacts'): string =>
  `${count(n)} ${n === 1 ? kindNames[kind].slice(0, -1) : kindNames[kind]}`
export const kindOfJob = ({ kind }: CrmJob): 'leads' | 'contacts' =>
  kind === 'leads_push' ? 'leads' : 'contacts'

const statuses: Record<CrmJobStatus, readonly ['ok' | 'warn' | 'bad' | 'run' | 'off', string]> = {
  queued: ['run', 'waiting'],
  running: ['run', 'running'],
  succeeded: ['ok', 'done'],
  partially_succeeded: ['warn', 'done in part'],
  failed: ['bad', 'failed'],
  refused: ['warn', 'nobody was pushed'],
  canceled: ['off', 'canceled'],
}

export function jobState({ status, error, cancel_requested }: CrmJob) {
  const [kind, word] = statuses[status]
  if (status === 'running' && cancel_requested) return { kind, word: 'stopping' }
  if (status === 'running' && error) return { kind: 'warn' as const, word: 'waits for the CRM' }
  return { kind, word }
}

export const isUnfinished = ({ status }: CrmJob): boolean => status === 'queued' || status === 'running'

/** From 0 to 1; null: the number of people is not known yet. */
export const partDone = ({ population, counts }: CrmJob): number | null =>
  population ? counts.processed / population : null

export const outcomeWords: Record<CrmItemOutcome, string> = {
  created: 'created',
  updated: 'updated',
  unchanged: 'not changed, not sent',
  skipped: 'left out',
  failed: 'failed',
}

/** Why the preview leaves out selected people. */
const skippedWords: Record<string, string> = {
  no_email_or_phone: 'left out: no e-mail and no phone',
  archived: 'left out: archived',
  not_found: 'left out: not found',
  same_person: 'left out: selected twice, after a merge',
}
export const skippedName = (reason: string): string => skippedWords[reason] ?? `left out: ${reason}`

export const peopleWords = (n: number): string => (n === 1 ? '1 person' : `${count(n)} people`)
