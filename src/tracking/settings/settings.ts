import { recordEvents } from '../../events/record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { joinSql, rawSql, sql } from '../../platform/db/sql.ts'
import { refuse } from '../../platform/http/fields.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import type { TrackingSettings, UpdateTrackingSettings } from './schema.ts'

/**
 * The stored settings of an organization. `retention_days` may exceed the number of days that the server keeps events.
 */
type Row = Omit<TrackingSettings, 'retention_days_max'>

/** The settings of a new organization; the table has the same defaults. */
const defaults: Row = {
  retention_days: 180,
  cookieless: false,
  respect_dnt: false,
  identify_creates: false,
  version: 1,
  updated_at: null,
}

/** @param keptDays the maximum number of days that this server keeps events */
export async function readSettings(tx: OrgTx, keptDays: number): Promise<TrackingSettings> {
  return shown((await tx.first(selectRow(tx))) ?? defaults, keptDays)
}

/**
 * Changes the given fields.
 * @param keptDays the maximum number of days that this server keeps events
 * @throws ValidationError if `retention_days` is more than that; DomainError conflict if `version` is not the current one
 */
export async function changeSettings(
  tx: OrgTx,
  input: UpdateTrackingSettings,
  { keptDays, version }: { keptDays: number; version: number | undefined },
): Promise<TrackingSettings> {
  if ((input.retention_days ?? 0) > keptDays)
    throw new ValidationError([
      detailAt(
        ['body', 'retention_days'],
        refuse(`this server keeps events for ${keptDays} days: send at most ${keptDays}`),
      ),
    ])
  const before = await lockRow(tx)
  requireVersion('the tracking settings', version, before.version, { isPlural: true })
  const changed = (Object.keys(input) as (keyof UpdateTrackingSettings)[]).filter(
    (name) => input[name] !== undefined && input[name] !== before[name],
  )
  if (changed.length === 0) return shown(before, keptDays)
  const assigned = changed.map((name) => sql`${rawSql(name)} = ${input[name]}`)
  const bumped = sql`version = version + 1, updated_at = clock_timestamp()`
  await tx.run(sql`
    update tracking_settings set ${joinSql([...assigned, bumped])} where org_id = ${tx.orgId}`)
  await recordEvents(tx, [{ type: 'tracking_settings.updated', objectId: tx.orgId, changed }])
  return readSettings(tx, keptDays)
}

const shown = (row: Row, keptDays: number): TrackingSettings => ({
  ...row,
  retention_days: Math.min(row.retention_days, keptDays),
  retention_days_max: keptDays,
})

const selectRow = ({ orgId }: OrgTx) => sql<Row>`
  select retention_days, cookieless, respect_dnt, identify_creates, version, floor(extract(epoch from updated_at))::bigint as updated_at
  from tracking_settings where org_id = ${orgId}`

/** Creates the row if it is missing, and locks it until the transaction ends. */
async function lockRow(tx: OrgTx): Promise<Row> {
  await tx.run(
    sql`insert into tracking_settings (org_id) values (${tx.orgId}) on conflict (org_id) do nothing`,
  )
  const row = await tx.first(sql<Row>`${selectRow(tx)} for no key update`)
  if (!row) throw new Error('The tracking settings that were just created are missing')
  return row
}
