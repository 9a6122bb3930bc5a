import type { NaiveOrg, Outcome, StepOf } from './naive-org.ts'
import { type Entity, kinds } from './naive-rules.ts'
import { type Merge, membersOf, recordOf, shown } from './naive-view.ts'

const pairOf = (one: string, other: string) => [one, other].sort().join(' and ')

export function mergeAll(org: NaiveOrg, step: StepOf<'merge'>): Outcome {
  const { entity, survivor, losers, merges, choices } = step
  const all = [survivor, ...losers]
  if (losers.length === 0 || new Set(all).size < all.length) return null
  if (all.some((id) => org.active(id) !== id) || !mayJoin(org, all, step.force)) return null
  losers.forEach((loser, index) => {
    const rules = step.rules?.[index] ?? {
      ...org.settings[entity].survivorship,
      ...chosenFor(all, index + 1, choices),
    }
    join(org, entity, survivor, loser, merges[index]!, merges[0]!, rules)
  })
  return 'done'
}

/** Whether no two records have the verdict `different`. `force` removes it. */
function mayJoin(org: NaiveOrg, roots: readonly string[], force: boolean, except?: string): boolean {
  const apart = [...org.different].filter((pair) => {
    const [one, other] = pair.split(' and ').map((id) => org.root(id)) as [string, string]
    return pair !== except && one !== other && roots.includes(one) && roots.includes(other)
  })
  if (apart.length > 0 && !force) return false
  for (const pair of apart) org.different.delete(pair)
  return true
}

function join(
  org: NaiveOrg,
  entity: Entity,
  survivor: string,
  loser: string,
  name: string,
  group: string,
  rules: Record<string, string>,
): void {
  const before = shown(org.facts, survivor)
  const moved = org.childrenOf(entity, membersOf(org.facts, loser)).length
  for (const each of org.facts.merges) {
    const isAbout = each.entity === entity && [each.survivor, each.loser].includes(loser)
    if (isAbout && each.status === 'shadow') each.status = 'stale'
  }
  const at = ++org.now
  const merge: Merge = {
    ...{ name, entity, survivor, loser, at, rules, group, moved },
    ...{ status: 'applied', isOld: false, filled: [] },
  }
  org.facts.merges.push(merge)
  for (const id of [survivor, loser]) recordOf(org.facts, id).everMerged = true
  const after = shown(org.facts, survivor)
  merge.filled = Object.keys(after).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
}

export function undoMerge(org: NaiveOrg, name: string): Outcome {
  const merge = org.merge(name)
  if (!merge || org.blockOf(merge) !== null) return null
  merge.status = 'undone'
  org.different.add(pairOf(merge.loser, merge.survivor))
  return 'done'
}

export function redoMerge(org: NaiveOrg, name: string): Outcome {
  const merge = org.merge(name)
  if (merge?.status !== 'undone') return null
  const { survivor, loser } = merge
  const [root, other] = [org.active(survivor), org.active(loser)]
  if (!root || !other || root === other || other !== loser) return null
  const pair = pairOf(loser, survivor)
  if (!mayJoin(org, [root, other], false, pair)) return null
  merge.moved = org.childrenOf(merge.entity, membersOf(org.facts, loser)).length
  merge.status = 'applied'
  org.different.delete(pair)
  for (const list of Object.entries(kinds[merge.entity].lists).flat()) if (list) org.loose.add(list)
  return 'done'
}

export function configure(org: NaiveOrg, { entity, survivorship, undoDays }: StepOf<'settings'>): Outcome {
  const settings = org.settings[entity]
  for (const [field, rule] of Object.entries(survivorship)) {
    if (rule === null) delete settings.survivorship[field]
    else settings.survivorship[field] = rule
  }
  if (undoDays !== undefined) settings.undo_days = undoDays
  return 'done'
}

export function ageMerge(org: NaiveOrg, name: string): Outcome {
  const merge = org.merge(name)
  if (!merge || !['applied', 'undone'].includes(merge.status)) return null
  merge.isOld = true
  return 'done'
}

export function proposeMerge(org: NaiveOrg, { entity, survivor, loser, name }: StepOf<'propose'>): Outcome {
  const ids = [survivor, loser]
  const isOpen = ({ status, ...each }: Merge) =>
    status === 'shadow' && pairOf(each.survivor, each.loser) === pairOf(survivor, loser)
  if (survivor === loser || ids.some((id) => org.active(id) !== id)) return null
  if (!mayJoin(org, ids, false) || org.facts.merges.some(isOpen)) return null
  const rules = {}
  org.facts.merges.push({
    ...{ name, entity, survivor, loser, rules, at: Number.POSITIVE_INFINITY, group: name },
    ...{ status: 'shadow', isOld: false, filled: [], moved: 0 },
  })
  return 'done'
}

export function answerProposal(org: NaiveOrg, step: StepOf<'apply' | 'dismiss'>): Outcome {
  const proposal = org.merge(step.proposal)
  if (proposal?.status !== 'shadow') return null
  const { entity, survivor, loser } = proposal
  if ([survivor, loser].some((id) => org.active(id) !== id)) return null
  if (step.do === 'dismiss') {
    proposal.status = 'dismissed'
    org.different.add(pairOf(loser, survivor))
    return 'done'
  }
  return mergeAll(org, {
    ...{ entity, do: 'merge', survivor, losers: [loser], merges: [step.merge] },
    ...{ choices: {}, force: false, dry: false },
  })
}

/** The choices for the loser at this index. If an earlier loser was chosen, later ones do not change the field. */
function chosenFor(
  all: readonly string[],
  turn: number,
  choices: Record<string, string>,
): Record<string, string> {
  const chosen = Object.entries(choices).filter(([, id]) => all.indexOf(id) <= turn)
  return Object.fromEntries(chosen.map(([field, id]) => [field, id === all[turn] ? 'loser' : 'survivor']))
}
