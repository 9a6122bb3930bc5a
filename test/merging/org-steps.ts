import fc from 'fast-check'
import { kinds, type Step } from './steps.ts'

export type Entity = 'contact' | 'company' | 'deal'

/** One thing that somebody does to an org; records have short names, a merge is called by its number. */
export type OrgStep = { entity: Entity } & (
  | Exclude<Step, { do: 'merge' }>
  | { do: 'merge'; survivor: string; losers: string[]; choices: Record<string, string>; merges: string[] }
  /** Merges and undoes at once, or undoes and redoes: nothing may come of it. */
  | { do: 'there and back'; survivor: string; losers: string[]; merges: string[] }
  | { do: 'back and there'; merge: string }
)

/** The names that histories begin with. */
export const names: Record<Entity, string[]> = {
  contact: ['A', 'B', 'C', 'D'],
  company: ['X', 'Y', 'Z'],
  deal: ['P', 'Q', 'R'],
}

const some = <Value>(...values: Value[]) => fc.constantFrom(...values)
const company = fc.record({ company_id: some(...names.company, null) })
const contactIds = fc.record({ contact_ids: fc.subarray(names.contact) })
const fields: Record<Entity, fc.Arbitrary<Record<string, unknown>>[]> = {
  contact: [...kinds.contact!.writes, company, company],
  company: kinds.company!.writes,
  deal: [...kinds.deal!.writes.filter((_, index) => index !== 4), company, contactIds, contactIds],
}

const said = (entity: Entity) =>
  fc
    .array(fc.oneof(...fields[entity]), { minLength: 1, maxLength: 2 })
    .map((parts): Record<string, unknown> => Object.assign({}, ...parts))

type Raw =
  | { do: 'write' | 'archive' | 'restore' | 'erase'; id: number; fields: Record<string, unknown> }
  | { do: 'create' | 'upsert'; fields: Record<string, unknown>; match: [string, object] }
  | { do: 'merge' | 'there and back'; order: number[]; chosen: [string, number][] }
  | { do: 'undo' | 'redo' | 'back and there'; merge: number }

function raw(entity: Entity): fc.Arbitrary<Raw> {
  const { matches, chosen } = kinds[entity]!
  // What is left of a company that was erased depends on whether a contact that names it was ever merged: not told here.
  const ends: ('archive' | 'restore' | 'erase')[] =
    entity === 'company' ? ['archive', 'restore', 'restore'] : ['archive', 'restore', 'restore', 'erase']
  const order = fc.uniqueArray(fc.nat(5), { minLength: 2, maxLength: 4 })
  const choices = fc.array(fc.tuple(some(...chosen), fc.nat(3)), { maxLength: 2 })
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: some('write' as const), id: fc.nat(5), fields: said(entity) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: some('create' as const, 'upsert' as const),
        fields: said(entity),
        match: matches,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: some(...ends),
        id: fc.nat(5),
        fields: fc.constant({}),
      }),
    },
    { weight: 5, arbitrary: fc.record({ do: some('merge' as const), order, chosen: choices }) },
    { weight: 3, arbitrary: fc.record({ do: some('undo' as const), merge: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.record({ do: some('redo' as const), merge: fc.nat(4) }) },
    {
      weight: 0.5 * 2,
      arbitrary: fc.oneof(
        fc.record({ do: some('there and back' as const), order, chosen: choices }),
        fc.record({ do: some('back and there' as const), merge: fc.nat(4) }),
      ),
    },
  )
}

/** A history of an org, that begins with the creation of all `names`. */
export function orgHistories(maxLength: number): fc.Arbitrary<OrgStep[]> {
  const entity = fc.oneof(
    { weight: 4, arbitrary: some('contact' as const) },
    { weight: 2, arbitrary: some('company' as const) },
    { weight: 2, arbitrary: some('deal' as const) },
  )
  const begin = (Object.keys(names) as Entity[]).flatMap((each) =>
    names[each].map((id) =>
      said(each).map(
        (more): OrgStep => ({ entity: each, do: 'create', id, fields: withName(each, id, more) }),
      ),
    ),
  )
  const steps = entity.chain((each) => raw(each).map((step) => ({ entity: each, step })))
  return fc
    .tuple(fc.tuple(...begin), fc.array(steps, { minLength: 8, maxLength, size: 'max' }))
    .map(([first, rest]) => {
      const known = structuredClone(names)
      const counts = { contact: 0, company: 0, deal: 0 }
      const named = rest.map(({ entity, step }): OrgStep => {
        const all = known[entity]
        const nth = (index: number) => all[index % all.length]!
        const mergeName = (number: number) => `${entity} merge ${number}`
        switch (step.do) {
          case 'create':
          case 'upsert': {
            const id = `${all[0]}${all.length}`
            all.push(id)
            const given = withName(entity, id, step.fields)
            const [matchOn, key] = step.match
            return step.do === 'create'
              ? { entity, do: 'create', id, fields: given }
              : { entity, do: 'upsert', id, matchOn, fields: { ...given, ...key } }
          }
          case 'merge':
          case 'there and back': {
            const [survivor, ...losers] = [...new Set(step.order.map(nth))] as [string, ...string[]]
            const merges = losers.map(() => mergeName(counts[entity]++))
            if (step.do === 'there and back') return { entity, do: step.do, survivor, losers, merges }
            const picks = [survivor, ...losers]
            const choices = Object.fromEntries(
              step.chosen.map(([field, index]) => [field, picks[index % picks.length]!]),
            )
            return { entity, do: 'merge', survivor, losers, choices, merges }
          }
          case 'undo':
          case 'redo':
          case 'back and there':
            return { entity, do: step.do, merge: mergeName(step.merge) }
          case 'write':
            return { entity, do: 'write', id: nth(step.id), fields: step.fields }
          default:
            return { entity, do: step.do, id: nth(step.id) }
        }
      })
      return [...first, ...named]
    })
}

const withName = (entity: Entity, id: string, fields: Record<string, unknown>) => ({
  ...fields,
  [kinds[entity]!.named]: id,
})

/** A history in words, one line for each step. */
export const toldOrg = (steps: readonly OrgStep[]): string =>
  steps.map(({ entity, do: what, ...rest }) => `${what} ${entity} ${JSON.stringify(rest)}`).join('\n')
