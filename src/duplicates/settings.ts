import { recordEvents } from '../events/record.ts'
import { type EntityType, entityTypes } from '../matching/entity-type.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { queueMatchKeys } from './match-key-versions.ts'

export const engineModes = ['off', 'shadow', 'auto'] as const

/** `off`: the engine does nothing. `shadow`: it proposes merges. `auto`: it merges. */
export type EngineMode = (typeof engineModes)[number]

export type EngineSettings = {
  mode: EngineMode
  /** The modes of single rules. The mode of a rule overrides `mode`. */
  rules: Record<string, EngineMode>
  /** The lowest probability (0 to 1) for a merge and for a proposal. */
  auto_threshold: number
  review_threshold: number
  /** By field, a policy that overrides the field's own policy. */
  survivorship: Record<string, string>
  /** The number of days in which a merge can be undone; null: without limit. */
  undo_days: number | null
}

/** By default, the engine only proposes merges. */
export const defaultSettings: EngineSettings = {
  mode: 'shadow',
  rules: {},
  auto_threshold: 0.999,
  review_threshold: 0.9,
  survivorship: {},
  undo_days: null,
}

/** Returns the mode for a pair. `rule` is the rule that applies to the pair; null: none applies. */
export function modeOf(
  { mode, rules }: Pick<EngineSettings, 'mode' | 'rules'>,
  rule: string | null,
): EngineMode {
  return (rule === null ? undefined : rules[rule]) ?? mode
}

/** Reads the settings of a record type. Settings that were never changed have their defaults. */
export async function readDuplicateSettings(tx: OrgTx, entityType: EntityType): Promise<EngineSettings> {
  const row = await tx.first(sql<{ settings: Partial<EngineSettings> }>`
    select settings from duplicate_settings where org_id = ${tx.orgId} and entity = ${entityType}`)
  return { ...defaultSettings, ...row?.settings }
}

/** Returns whether duplicate detection is on for the record type. */
export async function isDetectionOn(tx: OrgTx, entityType: EntityType): Promise<boolean> {
  return detects(await readDuplicateSettings(tx, entityType))
}

const detects = ({ mode, rules }: EngineSettings) =>
  mode !== 'off' || Object.values(rules).some((each) => each !== 'off')

export type AllSettings = Record<EntityType, EngineSettings>

/** Reads the settings of all record types. */
export async function readAllSettings(tx: OrgTx): Promise<AllSettings> {
  const [contact, company, deal] = await Promise.all([
    readDuplicateSettings(tx, 'contact'),
    readDuplicateSettings(tx, 'company'),
    readDuplicateSettings(tx, 'deal'),
  ])
  return { contact, company, deal }
}

/** A null restores the default of a setting, or of all settings of a record type. */
export type SettingsChanges = {
  [Entity in EntityType]?: SettingsChange | null | undefined
}

export type SettingsChange = {
  [Name in keyof EngineSettings]?: EngineSettings[Name] extends Record<string, infer Value>
    ? Record<string, Value | null> | null | undefined
    : EngineSettings[Name] | null | undefined
}

/**
 * @param check throws if the settings contradict each other
 * @returns all settings after the change
 */
export async function changeSettings(
  tx: OrgTx,
  changes: SettingsChanges,
  check: (after: AllSettings) => void,
): Promise<AllSettings> {
  await lockExclusive(tx, `duplicate settings ${tx.orgId}`)
  const before = await readAllSettings(tx)
  const after = settingsAfter(before, changes)
  check(after)
  const names = entityTypes.flatMap((entityType) =>
    differing(before[entityType], after[entityType]).map((name) => `${entityType}.${name}`),
  )
  if (names.length === 0) return before
  const turnedOn = entityTypes.filter(
    (entityType) => !detects(before[entityType]) && detects(after[entityType]),
  )
  if (turnedOn.length > 0) await queueMatchKeys(tx, turnedOn)
  for (const entityType of entityTypes) {
    const settings = JSON.stringify(toStore(after[entityType]))
    await tx.run(sql`
      insert into duplicate_settings (org_id, entity, settings) values (${tx.orgId}, ${entityType}, ${settings})
      on conflict (org_id, entity) do update set settings = excluded.settings`)
  }
  await recordEvents(tx, [{ type: 'duplicate_settings.updated', objectId: tx.orgId, changed: names }])
  return after
}

/** The settings that `changeSettings` would store. */
export function settingsAfter(before: AllSettings, changes: SettingsChanges): AllSettings {
  const after: AllSettings = { ...before }
  for (const entityType of entityTypes) {
    const change = changes[entityType]
    if (change !== undefined)
      after[entityType] = change === null ? defaultSettings : changed(before[entityType], change)
  }
  return after
}

function changed(before: EngineSettings, change: SettingsChange): EngineSettings {
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue
    if (value !== null && typeof value === 'object') {
      const entries = Object.entries({ ...(after[name] as object), ...value })
      after[name] = Object.fromEntries(entries.filter(([, each]) => each !== null))
    } else after[name] = value ?? defaultSettings[name as keyof EngineSettings]
  }
  return after as EngineSettings
}

const sorted = (value: unknown) =>
  JSON.stringify(value, (_name, each) =>
    each !== null && typeof each === 'object' ? Object.fromEntries(Object.entries(each).sort()) : each,
  )

const differing = (one: EngineSettings, other: EngineSettings) =>
  (Object.keys(defaultSettings) as (keyof EngineSettings)[]).filter(
    (name) => sorted(one[name]) !== sorted(other[name]),
  )

/** Store only what differs from the defaults, because a later version can change a default. */
const toStore = (settings: EngineSettings): Partial<EngineSettings> =>
  Object.fromEntries(differing(settings, defaultSettings).map((name) => [name, settings[name]]))
