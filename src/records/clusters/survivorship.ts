/** The policy of a field in a merge: it chooses between the survivor's and the loser's value. */
export type Policy = keyof typeof policies

/**
 * The values of a unit (merging.units), in the order of its columns. The unit is blank if its first value is null or an
 * empty object.
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

// From the least specific stage to the most advanced one.
const stages = ['other', 'subscriber', 'lead', 'qualified', 'opportunity', 'customer']
// From the least restrictive answer to the most restrictive one. A merge must never allow a contact that one of the
// records denied.
const restrictions = ['granted', 'unknown', 'denied']

/** Joins two objects. If both have a member, the survivor's value wins. */
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
  /** A person chose the survivor's value, even if it is blank. */
  survivor: (current: UnitValue) => current,
  /** A person chose the loser's value, even if it is blank. */
  loser: (_current: UnitValue, loser: UnitValue) => loser,
} as const

/** Returns the value of a unit after a merge. */
export function survivingValue(policy: Policy, current: UnitValue, loser: UnitValue): UnitValue {
  return policies[policy](current, loser)
}
