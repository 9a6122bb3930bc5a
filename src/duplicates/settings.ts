import { type Actor, recordEvents } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { keyHash } from '../records/keys.ts'
import { type EntityType, entityTypes } from './entities.ts'

export const modes = ['off', 'shadow', 'auto'] as const

/** What becomes of duplicates that are found: nothing; they are proposed; or they are merged. */
export type Mode = (typeof modes)[number]

/** How an org looks for duplicates of one kind. */
export type Settings = {
  mode: Mode
  /** Modes of single rules, where they are not `mode`. */
  rules: Record<string, Mode>
  /** Probabilities, 0 to 1: at or above, the engine merges; at or above, it proposes. */
  auto_threshold: number
  review_threshold: number
  /** By field, the policy that decides between two records, where that is not the field's own. */
  survivorship: Record<string, string>
  /** For how many days a merge can be undone; null: for good. */
  undo_days: number | null
}

/** As shipped: proposals, and nothing that happens by itself. */
export const shipped: Settings = {
  mode: 'shadow',
  rules: {},
  auto_threshold: 0.999,
  review_threshold: 0.9,
  survivorship: {},
  undo_days: null,
}

/** How an org wants what a rule finds to be treated; null: what the score alone finds. */
export function modeOf({ mode, rules }: Pick<Settings, 'mode' | 'rules'>, rule: string | null): Mode {
  return (rule === null ? undefined : rules[rule]) ?? mode
}

/** The settings of an org. */
export async function readSettings(tx: Tx, orgId: string, entityType: EntityType): Promise<Settings> {
  const row = await tx.first<{ settings: Partial<Settings> }>({
    text: 'select settings from duplicate_settings where org_id = $1 and entity = $2',
    values: [orgId, entityType],
  })
  return { ...shipped, ...row?.settings }
}

export type AllSettings = Record<EntityType, Settings>

/** The settings of an org for all kinds of records. */
export async function readAllSettings(tx: Tx, orgId: string): Promise<AllSettings> {
  const [contact, company, deal] = await Promise.all(
    entityTypes.map((entityType) => readSettings(tx, orgId, entityType)),
  )
  return { contact: contact!, company: company!, deal: deal! }
}

/** What is to be changed, by kind of record; null brings one back as shipped, and a whole kind as well. */
export type SettingsChanges = {
  [Entity in EntityType]?: SettingsChange | null | undefined
}

export type SettingsChange = {
  [Name in keyof Settings]?: Settings[Name] extends Record<string, infer Value>
    ? Record<string, Value | null> | null | undefined
    : Settings[Name] | null | undefined
}

/**
 * Changes the settings that are given. @param check refuses what does not go together
 * @returns all settings as they are now
 */
export async function changeSettings(
  tx: Tx,
  actor: Actor,
  changes: SettingsChanges,
  check: (after: AllSettings) => void,
): Promise<AllSettings> {
  const { orgId } = actor
  const lock = keyHash({ kind: 'duplicate settings', value: orgId })
  await tx.run({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [lock] })
  const before = await readAllSettings(tx, orgId)
  const after: AllSettings = { ...before }
  for (const entityType of entityTypes) {
    const change = changes[entityType]
    if (change !== undefined)
      after[entityType] = change === null ? shipped : changed(before[entityType], change)
  }
  check(after)
  const names = entityTypes.flatMap((entityType) =>
    differing(before[entityType], after[entityType]).map((name) => `${entityType}.${name}`),
  )
  if (names.length === 0) return before
  for (const entityType of entityTypes) {
    await tx.run({
      text: `
        insert into duplicate_settings (org_id, entity, settings) values ($1, $2, $3)
        on conflict (org_id, entity) do update set settings = excluded.settings`,
      values: [orgId, entityType, JSON.stringify(kept(after[entityType]))],
    })
  }
  await recordEvents(tx, actor, [{ type: 'duplicate_settings.updated', objectId: orgId, changed: names }])
  return after
}

/** Settings after a change; of rules and fields those that are named. */
function changed(before: Settings, change: SettingsChange): Settings {
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue
    if (value !== null && typeof value === 'object') {
      const entries = Object.entries({ ...(after[name] as object), ...value })
      after[name] = Object.fromEntries(entries.filter(([, each]) => each !== null))
    } else after[name] = value ?? shipped[name as keyof Settings]
  }
  return after as Settings
}

const sorted = (value: unknown) =>
  JSON.stringify(value, (_name, each) =>
    each !== null && typeof each === 'object' ? Object.fromEntries(Object.entries(each).sort()) : each,
  )

const differing = (one: Settings, other: Settings) =>
  (Object.keys(shipped) as (keyof Settings)[]).filter((name) => sorted(one[name]) !== sorted(other[name]))

/** What is not as shipped: a later version may ship something else. */
const kept = (settings: Settings): Partial<Settings> =>
  Object.fromEntries(differing(settings, shipped).map((name) => [name, settings[name]]))
