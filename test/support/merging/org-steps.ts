import fc from 'fast-check'
import type { Entity } from './naive-rules.ts'
import type { Fields, NewRecord, OrgStep } from './org-step.ts'
import { kinds } from './steps.ts'

export const names: Record<Entity, string[]> = {
  contact: ['A', 'B', 'C', 'D'],
  company: ['X', 'Y', 'Z'],
  deal: ['P', 'Q', 'R'],
}

export const entities = Object.keys(names) as Entity[]

/** How many steps create the first records. */
export const createdFirst = Object.values(names).flat().length

const some = <Value>(...values: Value[]) => fc.constantFrom(...values)
const company = fc.record({ company_id: some(...names.company, null) })
const contactIds = fc.record({ contact_ids: fc.subarray(names.contact) })
const custom = fc.record({ custom: some({ n: 1 }, { n: 2, m: 1 }, { m: null }, {}, null) })
const phone = some('+14155550100', '+14155550101', '+14155550102')
const source = fc.record({ source: some('web', 'fair', null) })

const fields: Record<Entity, fc.Arbitrary<Fields>[]> = {
  contact: [
    ...kinds.contact.writes,
    company,
    company,
    fc.record({ consent: some(null, { phone: 'denied' }, { phone: 'granted' }) }),
    some('denied', 'granted').map((phone) => ({
      consent: { phone },
      consent_details: { phone: { kind: 'oral', at: 1 } },
    })),
    source,
  ],
  company: [...kinds.company.writes, custom],
  deal: [
    ...kinds.deal.writes.filter((_, index) => index !== 5),
    ...[company, contactIds, contactIds, custom],
  ],
}

const matches: Record<Entity, fc.Arbitrary<[string, object]>> = {
  contact: fc.oneof(
    { weight: 3, arbitrary: kinds.contact.matches },
    phone.map((one): [string, object] => ['phone', { phone: one }]),
  ),
  company: fc.oneof(
    { weight: 3, arbitrary: kinds.company.matches },
    phone.map((one): [string, object] => ['phone', { phone: one }]),
  ),
  deal: kinds.deal.matches,
}

/** Fields for which a merge may choose the record. */
const chosen: Record<Entity, string[]> = {
  contact: ['city', 'owner_email', 'lifecycle_stage', 'custom', 'email', 'company_id'],
  company: ['city', 'owner_email', 'employee_count', 'domain', 'custom'],
  deal: ['amount_cents', 'owner_email', 'stage', 'status', 'company_id'],
}

const survivorship: Record<Entity, [string, (string | null)[]][]> = {
  contact: [
    ['city', ['longest', 'primary', null]],
    ['lifecycle_stage', ['primary', 'longest', null]],
    ['custom', ['primary', null]],
  ],
  company: [
    ['employee_count', ['min', 'max', null]],
    ['city', ['longest', null]],
  ],
  deal: [
    ['amount_cents', ['min', 'max', null]],
    ['stage', ['longest', null]],
  ],
}

const said = (entity: Entity) =>
  fc
    .array(fc.oneof(...fields[entity]), { minLength: 1, maxLength: 2 })
    .map((parts): Fields => Object.assign({}, ...parts))

type New = { upserts: boolean; fields: Fields; match: [string, object] }

/** A step with random numbers, which later choose the records and merges that exist then. */
type Raw =
  | { do: 'write' | 'archive' | 'restore' | 'erase'; id: number; fields: Fields }
  | { do: 'new'; items: New[] }
  | { do: 'close'; id: number; status: 'won' | 'lost'; reason: string | null | undefined }
  | { do: 'reopen'; id: number }
  | { do: 'note' | 'task'; id: number }
  | {
      do: 'merge' | 'there and back'
      order: number[]
      chosen: [string, number][]
      force: boolean
      dry: boolean
    }
  | { do: 'undo' | 'redo' | 'back and there' | 'age'; merge: number }
  | { do: 'settings'; survivorship: Record<string, string | null>; undoDays: number | null | undefined }
  | { do: 'propose'; order: number[] }
  | { do: 'apply' | 'dismiss'; proposal: number }

const of = <Value extends { do: string }>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({
  weight,
  arbitrary,
})
const does = <Name extends string>(...all: Name[]) => fc.constantFrom(...all)

function raw(entity: Entity): fc.Arbitrary<Raw> {
  const order = fc.uniqueArray(fc.nat(5), { minLength: 2, maxLength: 4 })
  const choices = fc.array(fc.tuple(some(...chosen[entity]), fc.nat(3)), { maxLength: 2 })
  const id = fc.nat(5)
  const merge = fc.nat(11)
  const item = fc.record({ upserts: fc.boolean(), fields: said(entity), match: matches[entity] })
  const settings = fc.tuple(
    fc.array(
      some(...survivorship[entity]).chain(([field, rules]) =>
        some(...rules).map((rule): [string, string | null] => [field, rule]),
      ),
      { minLength: 1, maxLength: 2 },
    ),
    some(undefined, undefined, 30, null),
  )
  const merging = {
    ...{ order, chosen: choices, dry: some(false, false, false, false, false, false, true) },
    force: some(false, false, true),
  }
  const steps = [
    of(12, fc.record({ do: does('write'), id, fields: said(entity) })),
    of(4, fc.record({ do: does('new'), items: fc.array(item, { minLength: 1, maxLength: 1 }) })),
    of(1, fc.record({ do: does('new'), items: fc.array(item, { minLength: 2, maxLength: 3 }) })),
    of(2, fc.record({ do: does('archive', 'restore', 'restore', 'erase'), id, fields: fc.constant({}) })),
    of(4, fc.record({ do: does('note', 'task'), id })),
    of(10, fc.record({ do: does('merge'), ...merging })),
    of(6, fc.record({ do: does('undo'), merge })),
    of(3, fc.record({ do: does('redo'), merge })),
    of(1, fc.record({ do: does('there and back'), ...merging })),
    of(1, fc.record({ do: does('back and there'), merge })),
    of(
      1,
      settings.map(([rules, undoDays]) => ({
        do: 'settings' as const,
        survivorship: Object.fromEntries(rules),
        undoDays,
      })),
    ),
    of(1, fc.record({ do: does('age'), merge })),
    of(1, fc.record({ do: does('propose'), order })),
    of(1, fc.record({ do: does('apply', 'dismiss'), proposal: fc.nat(4) })),
  ]
  if (entity !== 'deal') return fc.oneof(...steps)
  const reason = some(undefined, null, 'price', 'taste')
  const status = some<'won' | 'lost'>('won', 'lost')
  return fc.oneof(
    ...steps,
    of(3, fc.record({ do: does('close'), id, status, reason })),
    of(2, fc.record({ do: does('reopen'), id })),
  )
}

/** A history creates all `names` first, and mostly uses one record type. */
export function orgHistories(maxLength: number): fc.Arbitrary<OrgStep[]> {
  const begin = entities.flatMap((each) =>
    names[each].map((id) =>
      said(each).map(
        (more): OrgStep => ({ entity: each, do: 'create', id, fields: withName(each, id, more) }),
      ),
    ),
  )
  const stepsOf = (main: Entity) => {
    const entity = fc.oneof({ weight: 2, arbitrary: some(main) }, { weight: 1, arbitrary: some(...entities) })
    const steps = entity.chain((each) => raw(each).map((step) => ({ entity: each, step })))
    return fc.array(steps, { minLength: 8, maxLength, size: 'max' })
  }
  return fc
    .tuple(fc.tuple(...begin), some<Entity>('contact', 'contact', 'company', 'deal').chain(stepsOf))
    .map(([first, rest]) => {
      const names = new Names()
      return [...first, ...rest.flatMap(({ entity, step }) => names.stepOf(entity, step) ?? [])]
    })
}

class Names {
  readonly #known = structuredClone(names)
  readonly #merges = { contact: 0, company: 0, deal: 0 }
  #remarks = 0
  readonly #proposals = { contact: 0, company: 0, deal: 0 }

  /** Returns null if the step needs a merge or a proposal, and there is none. */
  stepOf(entity: Entity, step: Raw): OrgStep | null {
    const all = this.#known[entity]
    const nth = (index: number) => all[index % all.length]!
    switch (step.do) {
      case 'new': {
        const items = step.items.map((each) => this.#newRecord(entity, each))
        return items.length === 1 ? items[0]! : { entity, do: 'batch', items }
      }
      case 'merge':
      case 'there and back': {
        const picks = [...new Set(step.order.map(nth))] as [string, ...string[]]
        const [survivor, ...losers] = picks
        const merges = losers.map(() => `${entity} merge ${this.#merges[entity]++}`)
        if (step.do === 'there and back') return { entity, do: step.do, survivor, losers, merges }
        const choices = Object.fromEntries(
          step.chosen.map(([field, index]) => [field, picks[index % picks.length]!]),
        )
        const { force, dry } = step
        return { entity, do: 'merge', survivor, losers, merges, choices, force, dry }
      }
      case 'undo':
      case 'redo':
      case 'back and there':
      case 'age': {
        const count = this.#merges[entity]
        return count === 0 ? null : { entity, do: step.do, merge: `${entity} merge ${step.merge % count}` }
      }
      case 'propose': {
        const [survivor, loser] = step.order.map(nth) as [string, string]
        return {
          entity,
          do: 'propose',
          survivor,
          loser,
          name: `${entity} proposal ${this.#proposals[entity]++}`,
        }
      }
      case 'apply':
      case 'dismiss': {
        const count = this.#proposals[entity]
        if (count === 0) return null
        const proposal = `${entity} proposal ${step.proposal % count}`
        if (step.do === 'dismiss') return { entity, do: 'dismiss', proposal }
        return { entity, do: 'apply', proposal, merge: `${entity} merge ${this.#merges[entity]++}` }
      }
      case 'settings':
        return { entity, ...step }
      case 'write':
        return { entity, do: 'write', id: nth(step.id), fields: step.fields }
      case 'note':
      case 'task':
        return { entity, do: step.do, id: nth(step.id), text: `${step.do} ${this.#remarks++}` }
      case 'close':
      case 'reopen':
        return { ...step, entity: 'deal', id: nth(step.id) }
      default:
        return { entity, do: step.do, id: nth(step.id) }
    }
  }

  #newRecord(entity: Entity, { upserts, fields, match: [matchOn, key] }: New): NewRecord {
    const all = this.#known[entity]
    const id = `${all[0]}${all.length}`
    all.push(id)
    const given = withName(entity, id, fields)
    if (!upserts) return { entity, do: 'create', id, fields: given }
    return { entity, do: 'upsert', id, matchOn, fields: { ...given, ...key } }
  }
}

const withName = (entity: Entity, id: string, fields: Fields): Fields => ({
  ...fields,
  [kinds[entity].named]: id,
})
