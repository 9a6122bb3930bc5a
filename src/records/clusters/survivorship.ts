/** The policy of a field in a merge: it chooses between the survivor's and the loser's value. */
export type Policy = keyof typeof policies

/**
 * The values of a unit (merging.units), in the order of its columns. It is blank if the first one is null or an empty
 * object.
 */
export type UnitValue = readonly unknown[]

const isBlank = ([first]: UnitValue) =>
  first === null || first === undefined || (typeof first === 'object' && Object.keys(first).length === 0)

/** The survivor's value, unless it is blank. */
const primary = (current: UnitValue, loser: UnitValue) => (isBlank(current) ? loser : current)

/** The value with the higher rank; the survivor's if both are equal. */
const highest = (rank: (value: unknown) => number) => (current: UnitValue, loser: UnitValue) => {
  if (isBlank(current) || isBlank(loser)) return primary(current, loser)
  return rank(loser[0]) > rank(current[0]) ? loser : current
}

// `other` is the lowest: every stage says more.
const stages = ['other', 'subscriber', 'lead', 'qualified', 'opportunity', 'customer']
// A merge must never make a record more reachable than its most restricted part.
const restrictions = ['granted', 'unknown', 'denied']

/** The members of both objects; the survivor's value if both have one. */
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
  /** A person's choice: the survivor's value, even if blank. */
  survivor: (current: UnitValue) => current,
  /** A person's choice: the loser's value, even if blank. */
  loser: (_current: UnitValue, loser: UnitValue) => loser,
} as const

/** The value of a unit after a merge. */
export function survives(policy: Policy, current: UnitValue, loser: UnitValue): UnitValue {
  return policies[policy](current, loser)
}
