import { recordEventsBy } from '../events/record.ts'
import type { Actor } from '../platform/actor.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { refuse } from '../platform/http/fields.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { type Credentials, mergeCredentials, namesOf } from '../platform/secrets/credentials.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import { hintsOf, type OutsideProvider, type Provider, providers, shapes } from './credentials.ts'
import type { UpdateVoiceSettings, VoiceSettings } from './schema.ts'
import { readSubscription } from './subscription.ts'

/** What an org decided, as the database holds it. */
type Row = Pick<
  VoiceSettings,
  'allow_premium' | 'concurrent_call_cap' | 'ai_disclosure' | 'ai_disclosure_text' | 'version' | 'updated_at'
> & {
  provider: Provider
  calling_hours_start: string | null
  calling_hours_end: string | null
}
type Column = keyof Row

/** Of an org that decided nothing yet, as migrations 0022 and 0046 have it. */
export const shipped: Row = {
  ...{ provider: 'simulator', allow_premium: false, concurrent_call_cap: 10 },
  ...{ calling_hours_start: null, calling_hours_end: null, version: 1, updated_at: null },
  ...{ ai_disclosure: true, ai_disclosure_text: null },
}

const outside = providers.filter((provider) => provider !== 'simulator')
const secretOf = (provider: OutsideProvider) => `voice.${provider}`

/** The settings as the API shows them: of credentials no more than a hint. */
export async function readSettings(tx: OrgTx, secrets: Secrets, orgId: string): Promise<VoiceSettings> {
  const [row, subscription, kept] = await Promise.all([
    readRow(tx, orgId),
    readSubscription(tx, orgId),
    Promise.all(outside.map((provider) => readCredentials(tx, secrets, orgId, provider))),
  ])
  const { calling_hours_start: start, calling_hours_end: end, ...rest } = row ?? shipped
  const own = kept[outside.indexOf(rest.provider as OutsideProvider)]
  return {
    ...rest,
    credentials: own ? hintsOf(own) : null,
    kept_credentials: outside.filter((_, index) => kept[index] !== null),
    calling_hours: start !== null && end !== null ? { start, end } : null,
    subscription,
  }
}

/** The credentials of a provider; null: none, or none that opens. */
export async function readCredentials(
  tx: OrgTx,
  secrets: Secrets,
  orgId: string,
  provider: OutsideProvider,
): Promise<Credentials | null> {
  const opened = await secrets.open(tx, orgId, secretOf(provider))
  return opened === null ? null : JSON.parse(opened)
}

/**
 * Changes the fields that are given.
 * @throws ValidationError if the provider lacks credentials, or those sent are not its; DomainError conflict if `version` is not
 * the current one
 */
export async function changeSettings(
  tx: OrgTx,
  secrets: Secrets,
  actor: Actor,
  input: UpdateVoiceSettings,
  version: number | undefined,
): Promise<VoiceSettings> {
  const { orgId } = actor
  const before = await holdRow(tx, orgId)
  requireVersion('the voice settings', version, before.version, { isPlural: true })
  const { credentials, calling_hours: hours, ...plain } = input
  const wanted: { [Name in Column]?: Row[Name] | undefined } = {
    ...plain,
    ...(hours !== undefined && {
      calling_hours_start: hours?.start ?? null,
      calling_hours_end: hours?.end ?? null,
    }),
  }
  const columns = (Object.keys(wanted) as Column[]).filter(
    (column) => wanted[column] !== undefined && wanted[column] !== before[column],
  )
  const provider = input.provider ?? before.provider
  const isStored = await changeCredentials(tx, secrets, orgId, provider, credentials)
  const fields = columns.map((column) => (column.startsWith('calling_hours') ? 'calling_hours' : column))
  const changed = [...new Set([...fields, ...(isStored ? ['credentials'] : [])])]
  if (changed.length > 0) {
    const sets = columns.map((column, index) => `${column} = $${index + 2}, `).join('')
    await tx.run({
      text: `
        update voice_settings set ${sets} version = version + 1, updated_at = clock_timestamp()
        where org_id = $1`,
      values: [orgId, ...columns.map((column) => wanted[column])],
    })
    // Whether people are told that an AI calls is answered for later: the event keeps what was said before, and since.
    const audited = columns.filter((column) => column.startsWith('ai_disclosure'))
    const told = audited.map((column) => [column, { old: before[column], new: wanted[column] }])
    const data = told.length > 0 && { data: Object.fromEntries(told) }
    await recordEventsBy(tx, actor, [{ type: 'voice_settings.updated', objectId: orgId, changed, ...data }])
  }
  return readSettings(tx, secrets, orgId)
}

/** Keeps or forgets credentials; true if that changed any. @throws ValidationError if the provider would be without */
async function changeCredentials(
  tx: OrgTx,
  secrets: Secrets,
  orgId: string,
  provider: Provider,
  sent: Credentials | null | undefined,
): Promise<boolean> {
  if (provider === 'simulator') {
    if (sent && Object.keys(sent).length > 0)
      throw wrongCredentials('the simulator takes none: send the provider that they are of')
    if (sent !== null) return false
    const forgotten = await Promise.all(outside.map((each) => secrets.forget(tx, orgId, secretOf(each))))
    return forgotten.includes(true)
  }
  const kept = await readCredentials(tx, secrets, orgId, provider)
  if (sent === null) {
    throw wrongCredentials(
      `${provider} cannot do without: to forget them, send {"provider": "simulator", "credentials": null}`,
    )
  }
  if (sent === undefined && kept === null)
    throw wrongCredentials(
      `${provider} needs ${namesOf([shapes[provider]])}: send them together with the provider`,
    )
  const merged = mergeCredentials([shapes[provider]], kept, sent ?? {})
  if (JSON.stringify(merged) === JSON.stringify(kept)) return false
  await secrets.put(tx, orgId, secretOf(provider), JSON.stringify(merged))
  return true
}

const wrongCredentials = (message: string) =>
  new ValidationError([detailAt(['body', 'credentials'], refuse(message))])

const columnsShown = `
  provider, allow_premium, concurrent_call_cap, calling_hours_start, calling_hours_end, ai_disclosure,
  ai_disclosure_text, version,
  floor(extract(epoch from updated_at))::bigint as updated_at`

function readRow(tx: OrgTx, orgId: string): Promise<Row | undefined> {
  return tx.first<Row>({
    text: `select ${columnsShown} from voice_settings where org_id = $1`,
    values: [orgId],
  })
}

/** The row, made if there is none, which nobody else changes until the transaction ends. */
async function holdRow(tx: OrgTx, orgId: string): Promise<Row> {
  const [, row] = await Promise.all([
    tx.run({
      text: 'insert into voice_settings (org_id) values ($1) on conflict (org_id) do nothing',
      values: [orgId],
    }),
    tx.first<Row>({
      text: `select ${columnsShown} from voice_settings where org_id = $1 for no key update`,
      values: [orgId],
    }),
  ])
  return row!
}
