/** The policy of a field: which value a merge chooses. */
export type Policy = keyof typeof policies

/** The values of a unit, in the order of its columns. A unit whose first value is null or an empty object is blank. */
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

// The lifecycle stages, least specific first.
const stages = ['other', 'subscriber', 'lead', 'qualified', 'opportunity', 'customer']
// Least restrictive first. A merge must never allow a contact that one of the records denied.
const restrictions = ['granted', 'unknown', 'denied']

/** Joins the members of two objects. If both have a member, the survivor's value wins. */
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
  /** Blank if the value of one record is blank. */
  if_both: (current: UnitValue, loser: UnitValue) => (isBlank(loser) ? loser : current),
  /** A person chose this value, which may be blank. */
  survivor: (current: UnitValue) => current,
  loser: (_current: UnitValue, loser: UnitValue) => loser,
} as const

/** Returns the value that a merge with this policy shows. */
export function survivingValue(policy: Policy, current: UnitValue, loser: UnitValue): UnitValue {
  return policies[policy](current, loser)
}
