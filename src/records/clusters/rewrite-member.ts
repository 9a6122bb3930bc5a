import type { Facts, UnitWrite } from './cluster.ts'
import type { FactChange } from './fact-change.ts'

type Members = Readonly<Record<string, unknown>>

/** The new value of a member of `custom`; null removes the member. The same value: nothing changes. */
export type Rewrite = { key: string; convert(value: unknown): unknown }

/** Rewrites one member of `custom`. Returns the same object if nothing changes. */
export function rewriteMember(custom: Members, { key, convert }: Rewrite, isPatch = false): Members {
  const before = Object.hasOwn(custom, key) ? custom[key] : null
  if (before === null) return custom
  const after = convert(before)
  if (JSON.stringify(after) === JSON.stringify(before)) return custom
  if (after !== null || isPatch) return { ...custom, [key]: after }
  const { [key]: _gone, ...others } = custom
  return others
}

/** Rewrites the member in all writes of an id. Returns the same facts if nothing changes. */
export function rewriteFacts(facts: Facts, rewrite: Rewrite): Facts {
  const before = facts.units.custom
  if (!before) return facts
  const after = rewriteWrites(before, rewrite)
  return after === before ? facts : { ...facts, units: { ...facts.units, custom: after } }
}

/** Rewrites the member in a change that an import can revert. Returns the same change if nothing changes. */
export function rewriteChange(change: FactChange, rewrite: Rewrite): FactChange {
  const { custom } = change.units
  if (!custom) return change
  const [before, after] = [rewriteWrites(custom.before, rewrite), rewriteWrites(custom.after, rewrite)]
  if (before === custom.before && after === custom.after) return change
  return { ...change, units: { ...change.units, custom: { before, after } } }
}

function rewriteWrites(writes: UnitWrite[], rewrite: Rewrite): UnitWrite[] {
  const rewritten = writes.map((write): UnitWrite => {
    const [seq, { custom, ...others }, patch] = write
    if (!custom) return write
    const after = rewriteMember(custom as Members, rewrite, patch !== undefined)
    if (after === custom) return write
    return patch === undefined
      ? [seq, { ...others, custom: after }]
      : [seq, { ...others, custom: after }, patch]
  })
  return rewritten.every((write, index) => write === writes[index]) ? writes : rewritten
}
