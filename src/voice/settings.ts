import { recordEvents } from '../events/record.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { joinSql, rawSql, sql } from '../platform/db/sql.ts'
import { refuse } from '../platform/http/fields.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import { type Credentials, mergeCredentials, namesOf } from '../platform/secrets/credentials.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import {
  credentialShapes,
  hintsOf,
  type OutsideProviderName,
  type ProviderName,
  providerNames,
} from './credentials.ts'
import type { UpdateVoiceSettings, VoiceSettings } from './schema.ts'
import { readSubscription } from './subscription.ts'

type SettingsRow = Pick<
  VoiceSettings,
  'allow_premium' | 'concurrent_call_cap' | 'ai_disclosure' | 'ai_disclosure_text' | 'version' | 'updated_at'
> & {
  provider: ProviderName
  calling_hours_start: string | null
  calling_hours_end: string | null
}
type Column = keyof SettingsRow

/** The settings of a new org. The table has the same defaults. */
export const defaultSettings: SettingsRow = {
  ...{ provider: 'simulator', allow_premium: false, concurrent_call_cap: 10 },
  ...{ calling_hours_start: null, calling_hours_end: null, version: 1, updated_at: null },
  ...{ ai_disclosure: true, ai_disclosure_text: null },
}

const outsideProviders = providerNames.filter((provider) => provider !== 'simulator')
const secretNameOf = (provider: OutsideProviderName) => `voice.${provider}`

/** Returns the settings as the API shows them, with only a hint of each credential. */
export async function readSettings(tx: OrgTx, secrets: Secrets): Promise<VoiceSettings> {
  const [row, subscription, kept] = await Promise.all([
    tx.first(selectRow(tx)),
    readSubscription(tx),
    Promise.all(outsideProviders.map((provider) => readCredentials(tx, secrets, provider))),
  ])
  const { calling_hours_start: start, calling_hours_end: end, ...rest } = row ?? defaultSettings
  const own = kept[outsideProviders.indexOf(rest.provider as OutsideProviderName)]
  return {
    ...rest,
    credentials: own ? hintsOf(own) : null,
    kept_credentials: outsideProviders.filter((_, index) => kept[index] !== null),
    calling_hours: start !== null && end !== null ? { start, end } : null,
    subscription,
  }
}

/** Returns the credentials of a provider; null if they are missing or do not open. */
export async function readCredentials(
  tx: OrgTx,
  secrets: Secrets,
  provider: OutsideProviderName,
): Promise<Credentials | null> {
  const opened = await secrets.open(tx, tx.orgId, secretNameOf(provider))
  return opened === null ? null : JSON.parse(opened)
}

/**
 * Changes the given fields.
 * @throws ValidationError if credentials are missing or do not fit the provider; DomainError
 * conflict if `version` is not the current one
 */
export async function changeSettings(
  tx: OrgTx,
  secrets: Secrets,
  input: UpdateVoiceSettings,
  version: number | undefined,
): Promise<VoiceSettings> {
  const before = await lockRow(tx)
  requireVersion('the voice settings', version, before.version, { isPlural: true })
  const { credentials, calling_hours: hours, ...plain } = input
  const wanted: { [Name in Column]?: SettingsRow[Name] | undefined } = {
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
  const isStored = await changeCredentials(tx, secrets, provider, credentials)
  const fields = columns.map((column) => (column.startsWith('calling_hours') ? 'calling_hours' : column))
  const changed = [...new Set([...fields, ...(isStored ? ['credentials'] : [])])]
  if (changed.length > 0) {
    const assigned = columns.map((column) => sql`${rawSql(column)} = ${wanted[column]}`)
    const bumped = sql`version = version + 1, updated_at = clock_timestamp()`
    await tx.run(sql`
      update voice_settings set ${joinSql([...assigned, bumped])} where org_id = ${tx.orgId}`)
    // Put the old and the new disclosure into the event: the org may have to prove how its calls began.
    const audited = columns.filter((column) => column.startsWith('ai_disclosure'))
    const changes = audited.map((column) => [column, { old: before[column], new: wanted[column] }])
    const data = changes.length > 0 && { data: Object.fromEntries(changes) }
    await recordEvents(tx, [{ type: 'voice_settings.updated', objectId: tx.orgId, changed, ...data }])
  }
  return readSettings(tx, secrets)
}

/**
 * Stores or deletes credentials. Returns true if a credential changed.
 * @throws ValidationError if the provider would be left without credentials
 */
async function changeCredentials(
  tx: OrgTx,
  secrets: Secrets,
  provider: ProviderName,
  sent: Credentials | null | undefined,
): Promise<boolean> {
  if (provider === 'simulator') {
    if (sent && Object.keys(sent).length > 0)
      throw wrongCredentials(
        'the simulator needs no credentials: send `provider` too, with the name of their provider',
      )
    if (sent !== null) return false
    const forgotten = await Promise.all(
      outsideProviders.map((each) => secrets.forget(tx, tx.orgId, secretNameOf(each))),
    )
    return forgotten.includes(true)
  }
  const kept = await readCredentials(tx, secrets, provider)
  if (sent === null) {
    throw wrongCredentials(
      `${provider} needs credentials: to delete them, send {"provider": "simulator", "credentials": null}`,
    )
  }
  if (sent === undefined && kept === null)
    throw wrongCredentials(
      `${provider} needs ${namesOf([credentialShapes[provider]])}: send them together with the provider`,
    )
  const merged = mergeCredentials([credentialShapes[provider]], kept, sent ?? {})
  if (JSON.stringify(merged) === JSON.stringify(kept)) return false
  await secrets.put(tx, tx.orgId, secretNameOf(provider), JSON.stringify(merged))
  return true
}

const wrongCredentials = (message: string) =>
  new ValidationError([detailAt(['body', 'credentials'], refuse(message))])

const selectRow = ({ orgId }: OrgTx) => sql<SettingsRow>`
  select provider, allow_premium, concurrent_call_cap, calling_hours_start, calling_hours_end, ai_disclosure,
    ai_disclosure_text, version, floor(extract(epoch from updated_at))::bigint as updated_at
  from voice_settings where org_id = ${orgId}`

/** Creates the row if it is missing, and locks it until the transaction ends. */
async function lockRow(tx: OrgTx): Promise<SettingsRow> {
  const [, row] = await Promise.all([
    tx.run(sql`insert into voice_settings (org_id) values (${tx.orgId}) on conflict (org_id) do nothing`),
    tx.first(sql<SettingsRow>`${selectRow(tx)} for no key update`),
  ])
  if (!row) throw new Error('The voice settings that were just created are missing')
  return row
}
