import {
  decide,
  type Entity,
  type Fields,
  initialFields,
  kinds,
  members,
  primariesOf,
  unitsOf,
} from './naive-rules.ts'

/** A record by its own name, even if absorbed. Times are step numbers. */
export type NaiveRecord = {
  entity: Entity
  status: 'active' | 'archived' | 'erased'
  /** The elements that were written to each list; an external id as `system=id`. */
  own: Record<string, string[]>
  led: Record<string, { at: number; value: string | null }>
  everMerged: boolean
}

export type NaiveWrite = { at: number; id: string; fields: Fields }

export type Merge = {
  name: string
  entity: Entity
  survivor: string
  loser: string
  at: number
  rules: Record<string, string>
  status: 'applied' | 'undone' | 'shadow' | 'stale' | 'dismissed'
  /** Whether the undo period of every org is over. */
  isOld: boolean
  group: string
  filled: string[]
  moved: number
}

/** An element of `id` that a write to another record left out. It is hidden while all merges in `by` are applied. */
type Hidden = { id: string; list: string; element: string; by: string[] }

export type Facts = {
  records: Map<string, NaiveRecord>
  said: NaiveWrite[]
  merges: Merge[]
  hidden: Hidden[]
}

const inForce = (facts: Facts, entity?: Entity) =>
  facts.merges.filter((each) => each.status === 'applied' && (!entity || each.entity === entity))

const mergeOf = (facts: Facts, id: string) =>
  inForce(facts).find(({ loser }) => loser === id) as Merge | undefined

export function recordOf({ records }: Facts, id: string): NaiveRecord {
  const record = records.get(id)
  if (!record) throw new Error(`No record has the name ${id}`)
  return record
}

export function rootOf(facts: Facts, id: string): string {
  const merge = mergeOf(facts, id)
  return merge ? rootOf(facts, merge.survivor) : id
}

/** Returns all records with this canonical record. */
export const membersOf = (facts: Facts, root: string): string[] =>
  [...facts.records.keys()].filter((id) => rootOf(facts, id) === root)

/** A record and everything that was merged into it. */
export const clusterOf = (facts: Facts, id: string): string[] => [
  id,
  ...inForce(facts).flatMap(({ survivor, loser }) => (survivor === id ? clusterOf(facts, loser) : [])),
]

function above(facts: Facts, id: string): string[] {
  const merge = mergeOf(facts, id)
  return merge ? [merge.name, ...above(facts, merge.survivor)] : []
}

export function mergesBetween(facts: Facts, one: string, other: string): string[] {
  const [a, b] = [above(facts, one), above(facts, other)]
  return [...a.filter((name) => !b.includes(name)), ...b.filter((name) => !a.includes(name))]
}

/** Applies a patch to an object; a null removes a member. */
function patched(object: Fields, members: Fields): Fields {
  const all = { ...object }
  for (const [name, value] of Object.entries(members)) {
    if (value === null) delete all[name]
    else all[name] = value
  }
  return all
}

/** The records after all steps, without lists. */
export function computedFields(facts: Facts, entity: Entity): Map<string, Fields> {
  const ids = [...facts.records].filter(([, record]) => record.entity === entity).map(([id]) => id)
  const shown = new Map(ids.map((id) => [id, initialFields(entity)]))
  const into = new Map<string, string>()
  const upFrom = (id: string | undefined): string[] => (id ? [id, ...upFrom(into.get(id))] : [])
  const steps = [
    ...facts.said.filter(({ id }) => shown.has(id)),
    ...ids.flatMap((id) => ledBy(facts, entity, id)),
    ...inForce(facts, entity),
  ].sort((one, other) => one.at - other.at)
  for (const step of steps) {
    if ('fields' in step) {
      for (const id of upFrom(step.id)) {
        const fields = shown.get(id)!
        for (const first of kinds[entity].explained)
          if (first in step.fields && step.fields[first] !== fields[first])
            for (const field of kinds[entity].together[first]!) fields[field] = null
        const { 'custom members': members, ...rest } = step.fields
        Object.assign(fields, rest)
        if (members) fields.custom = patched(fields.custom as Fields, members as Fields)
      }
      continue
    }
    const { survivor, loser, rules } = step
    for (const id of upFrom(survivor)) {
      for (const [unit, fields] of unitsOf(entity)) {
        const of = (each: string) => fields.map((field) => shown.get(each)![field])
        const rule = rules[unit] ?? kinds[entity].rules[unit] ?? 'primary'
        decide(rule, of(id), of(loser)).forEach((value, index) => {
          shown.get(id)![fields[index]!] = value
        })
      }
    }
    into.set(loser, survivor)
  }
  return shown
}

/** The last written primary element, or else the first element. Merges do not count. */
function ledBy({ records }: Facts, entity: Entity, id: string): NaiveWrite[] {
  const { own, led } = records.get(id)!
  return primariesOf(entity).map(([list, primary]) => {
    const { at, value } = led[list] ?? { at: -1, value: null }
    const has = value !== null && own[list]!.includes(value)
    return { at: has ? at : -1, id, fields: { [primary]: has ? value : (own[list]![0] ?? null) } }
  })
}

/** The record's own elements, then those of merged records, in merge order. */
export function listOf(facts: Facts, root: string, list: string): string[] {
  const part = clusterOf(facts, root)
  const merges = inForce(facts).filter(({ survivor }) => part.includes(survivor))
  const isHidden = (id: string, element: string) =>
    facts.hidden.some(
      (each) =>
        each.id === id &&
        each.list === list &&
        each.element === element &&
        each.by.every((name) => merges.some((merge) => merge.name === name)),
    )
  const of = (id: string): string[] => [
    ...recordOf(facts, id).own[list]!.filter((element) => !isHidden(id, element)),
    ...merges.filter(({ survivor }) => survivor === id).flatMap(({ loser }) => of(loser)),
  ]
  return [...new Set(of(root))]
}

/** Moves the primary element to the front. */
export function withPrimaryFirst(elements: string[], primary: unknown): string[] {
  const first = elements.find((element) => element === primary)
  return first === undefined ? elements : [first, ...elements.filter((element) => element !== first)]
}

/** Returns the first id of each external system. */
function byExternalSystem(entries: readonly string[]): Record<string, string> {
  const pairs = entries.map((entry) => entry.split('=') as [string, string])
  return Object.fromEntries(
    pairs.filter(([system], index) => pairs.findIndex(([other]) => other === system) === index),
  )
}

/** The record in the form of the API, with names for ids. */
export function shown(facts: Facts, root: string, all?: Map<string, Fields>): Fields {
  const { entity, status } = recordOf(facts, root)
  const { idField, lists } = kinds[entity]
  const fields = { ...(all ?? computedFields(facts, entity)).get(root)! }
  for (const [list, primary] of Object.entries(lists)) {
    const elements = listOf(facts, root, list)
    fields[list] = primary ? withPrimaryFirst(elements, fields[primary]) : elements
    if (primary) fields[primary] = (fields[list] as string[])[0] ?? null
  }
  fields.external_ids = byExternalSystem(fields.external_ids as string[])
  const isGone = (id: string) => facts.records.get(id)?.status === 'erased'
  const rooted = (id: string) => (isGone(id) ? [] : [rootOf(facts, id)])
  if ('company_id' in fields && entity !== 'company')
    fields.company_id = fields.company_id === null ? null : (rooted(fields.company_id as string)[0] ?? null)
  if (entity === 'contact') {
    fields.consent = { email: fields['consent.email'], phone: fields['consent.phone'] }
    fields.consent_details = {
      email: fields['consent_details.email'],
      phone: fields['consent_details.phone'],
    }
    for (const field of Object.keys(fields)) if (/^consent.*\./.test(field)) delete fields[field]
  }
  if (entity === 'deal') {
    fields.contact_ids = [...new Set((fields.contact_ids as string[]).flatMap(rooted))]
    if (fields.currency === null) fields.amount_cents = null
  }
  fields.owner_id = members[fields.owner_email as string] ?? null
  return { ...fields, [idField]: root, archived: status === 'archived' }
}
