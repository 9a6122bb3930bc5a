/** How a field's value comes about when records are merged: what the survivor shows so far, and what the loser shows. */
export type Policy = keyof typeof policies

/** The columns of a unit (merging.units), in their order. The unit is blank if the first of them is null, or an empty object. */
export type UnitValue = readonly unknown[]

const isBlank = ([first]: UnitValue) =>
  first === null || first === undefined || (typeof first === 'object' && Object.keys(first).length === 0)

/** The survivor's unless it is blank. */
const primary = (current: UnitValue, loser: UnitValue) => (isBlank(current) ? loser : current)

/** Whichever has the higher rank; the survivor's if they have the same. */
const highest = (rank: (value: unknown) => number) => (current: UnitValue, loser: UnitValue) => {
  if (isBlank(current) || isBlank(loser)) return primary(current, loser)
  return rank(loser[0]) > rank(current[0]) ? loser : current
}

// `other` is a place beside the ladder: every rung says more.
const stages = ['other', 'subscriber', 'lead', 'qualified', 'opportunity', 'customer']
// Consent that nobody gave is no consent: merging must never make a record more reachable than its most careful part.
const restrictions = ['granted', 'unknown', 'denied']

/** Members of both objects; of one that both have, the survivor's. */
function members([current]: UnitValue, [loser]: UnitValue): UnitValue {
  return [{ ...(loser as object | null), ...(current as object | null) }]
}

const policies = {
  primary,
  furthest_stage: highest((stage) => stages.indexOf(stage as string)),
  most_restrictive: highest((consent) => restrictions.indexOf(consent as string)),
  min: highest((value) => -(value as number)),
  max: highest((value) => value as number),
  longest: highest((value) => [...String(value)].length),
  members,
  /** What a person chose for one merge: the survivor's value, also a blank one. */
  survivor: (current: UnitValue) => current,
  /** What a person chose for one merge: the loser's value, also a blank one. */
  loser: (_current: UnitValue, loser: UnitValue) => loser,
} as const

/** The value of a unit after a merge. */
export function survives(policy: Policy, current: UnitValue, loser: UnitValue): UnitValue {
  return policies[policy](current, loser)
}
