import { recordTypes } from '../../src/duplicates/entities.ts'
import type { State } from '../../src/records/record-type.ts'
import type { Entity } from './org-steps.ts'
import type { World } from './world.ts'

/** Records as the API shows them, by name. */
export type Shown = Record<string, Record<string, unknown>>

export type Worlds = Record<Entity, World>

/** What worlds show, in the form of the API. */
export function shownBy(worlds: Worlds): Shown {
  return Object.fromEntries(
    (Object.keys(worlds) as Entity[]).flatMap((entity) =>
      Object.entries(worlds[entity].shown()).map(([name, state]) => [
        name,
        wireOf(entity, name, state, worlds),
      ]),
    ),
  )
}

function wireOf(
  entity: Entity,
  name: string,
  state: State,
  { contact, company }: Worlds,
): Record<string, unknown> {
  const { columns, idField, fieldNames } = recordTypes[entity]
  const rootIn = (world: World, raw: unknown) =>
    world.records.has(raw as string) ? world.root(raw as string) : null
  const own = Object.keys(columns).filter(
    (column) => !column.endsWith('_raw_id') && !column.startsWith('consent_'),
  )
  const record: Record<string, unknown> = Object.fromEntries(
    own.map((column) => [fieldNames[column] ?? column, state[column] ?? null]),
  )
  record[idField] = name
  if ('consent_email' in columns) record.consent = { email: state.consent_email, phone: state.consent_phone }
  if ('company_raw_id' in columns) record.company_id = rootIn(company, state.company_raw_id)
  if (entity === 'deal') {
    const roots = (state.contact_raw_ids as string[]).map((raw) => rootIn(contact, raw))
    record.contact_ids = [...new Set(roots.filter((root) => root !== null))]
  }
  return { ...record, archived: state.status === 'archived' }
}
