import { elementsIn, takenBy, writeLists } from './naive-lists.ts'
import { type Entity, type Fields, kinds, unitsOf, unsaid } from './naive-rules.ts'
import { type Facts, listOf, type Merge, membersOf, played, rootOf, shown } from './naive-view.ts'
import type { OrgStep } from './org-steps.ts'

export type Step = Exclude<OrgStep, { do: 'there and back' | 'back and there' }>
type Of<Name extends Step['do']> = Extract<Step, { do: Name }>

/** What came of a step; null: it was refused. */
export type Outcome = string | null

const pairOf = (one: string, other: string) => [one, other].sort().join(' and ')

/**
 * An org as docs/duplicates.md tells it, in the simplest way there is: it keeps what was said and what was merged, and works
 * out everything else anew whenever it is asked.
 */
export class NaiveOrg {
  facts: Facts = { records: new Map(), said: [], merges: [], hidden: [] }
  /** Pairs that were said to be different, by kind. */
  readonly different = new Set<string>()
  readonly settings: Record<Entity, { survivorship: Record<string, string>; undo_days: number | null }> = {
    contact: { survivorship: {}, undo_days: null },
    company: { survivorship: {}, undo_days: null },
    deal: { survivorship: {}, undo_days: null },
  }
  /** Fields of which a history says something else where a merge never was. */
  readonly loose = new Set<string>()
  #now = 0

  /** The same org, which goes its own way from here. */
  copy(): NaiveOrg {
    const other = new NaiveOrg()
    other.facts = structuredClone(this.facts)
    for (const pair of this.different) other.different.add(pair)
    Object.assign(other.settings, structuredClone(this.settings))
    other.#now = this.#now
    return other
  }

  take(step: Step): Outcome {
    switch (step.do) {
      case 'create':
        return this.#create(step.entity, step.id, step.fields)
      case 'write':
        return this.#patch(step.id, step.fields)
      case 'upsert':
        return this.#upsert(step)
      case 'batch':
        return step.items.map((each) => this.take(each) ?? 'failed').join()
      case 'archive':
      case 'restore':
        return this.#setStatus(step.id, step.do === 'archive' ? 'archived' : 'active')
      case 'erase':
        return this.#erase(step.id)
      case 'close':
      case 'reopen':
        return this.#end(step)
      case 'merge':
        return this.#merge(step)
      case 'undo':
        return this.#undo(step.merge)
      case 'redo':
        return this.#redo(step.merge)
      case 'settings':
        return this.#configure(step)
      case 'age':
        return this.#age(step.merge)
      case 'propose':
        return this.#propose(step)
      case 'apply':
      case 'dismiss':
        return this.#answer(step)
    }
  }

  /** What an org shows, by name. */
  shown(entities: readonly Entity[] = ['contact', 'company', 'deal']): Record<string, Fields> {
    return Object.fromEntries(
      entities.flatMap((entity) => {
        const all = played(this.facts, entity)
        return this.roots(entity).map((id) => [id, shown(this.facts, id, all)] as const)
      }),
    )
  }

  roots(entity: Entity): string[] {
    return [...this.facts.records]
      .filter(([id, each]) => each.entity === entity && each.status !== 'erased' && this.root(id) === id)
      .map(([id]) => id)
  }

  hasArchived(entity: Entity): boolean {
    return this.roots(entity).some((id) => this.facts.records.get(id)!.status === 'archived')
  }

  root(id: string): string {
    return rootOf(this.facts, id)
  }

  merge(name: string): Merge | undefined {
    return this.facts.merges.find((each) => each.name === name)
  }

  /** Why undoing a merge is refused; null: it is not. */
  blockOf({ status, loser, entity, isOld }: Merge): string | null {
    if (status === 'undone') return 'already_undone'
    if (status !== 'applied') return 'shadow'
    const root = this.facts.records.get(this.root(loser))!
    if (root.status === 'erased') return 'erased'
    if (root.status === 'archived') return 'survivor_deleted'
    return isOld && this.settings[entity].undo_days !== null ? 'expired' : null
  }

  /** Records that name any of `ids`, and stand for themselves. */
  childrenOf(entity: Entity, ids: readonly string[]): string[] {
    const naming = (kind: 'contact' | 'deal') => {
      const all = played(this.facts, kind)
      return this.roots(kind).filter((id) =>
        entity === 'company'
          ? ids.includes(all.get(id)!.company_id as string)
          : listOf(this.facts, id, 'contact_ids').some((named) => ids.includes(named)),
      )
    }
    if (entity === 'deal') return []
    return entity === 'company' ? [...naming('contact'), ...naming('deal')] : naming('deal')
  }

  #active(id: string): string | null {
    if (!this.facts.records.has(id)) return null
    const root = this.root(id)
    return this.facts.records.get(root)!.status === 'active' ? root : null
  }

  #namesNothing({ company_id: company, contact_ids: contacts }: Fields): boolean {
    const named = [company ?? [], contacts ?? []].flat() as string[]
    return named.some((id) => (this.facts.records.get(id)?.status ?? 'erased') === 'erased')
  }

  #create(entity: Entity, id: string, fields: Fields): Outcome {
    if (this.#namesNothing(fields) || this.#lacksCurrency(unsaid(entity), fields)) return null
    const own = Object.fromEntries(
      Object.entries(kinds[entity].lists).map(([list, primary]) => [
        list,
        elementsIn(fields, list, primary) ?? [],
      ]),
    )
    this.facts.records.set(id, { entity, status: 'active', own, led: {}, everMerged: false })
    this.#say(id, singles(entity, fields))
    return 'created'
  }

  #lacksCurrency(before: Fields, fields: Fields): boolean {
    const after = { ...before, ...fields }
    return (after.amount_cents ?? null) !== null && (after.currency ?? null) === null
  }

  #say(id: string, fields: Fields): void {
    this.facts.said.push({ at: ++this.#now, id, fields })
  }

  #patch(id: string, fields: Fields): Outcome {
    if (!this.#active(id) || this.#namesNothing(fields)) return null
    return this.#write(id, fields, false)
  }

  #write(id: string, fields: Fields, adds: boolean): Outcome {
    const { entity } = this.facts.records.get(id)!
    const before = shown(this.facts, this.root(id))
    if (this.#lacksCurrency(before, fields)) return null
    for (const field of adds ? [] : takenBy(this.facts, id, fields)) this.loose.add(field)
    const own = Object.assign(
      {},
      ...this.facts.said.filter((each) => each.id === id).map((each) => each.fields),
    )
    const said = singles(entity, fields)
    // An amount that is said stands, also where its currency is another's.
    if ((said.amount_cents ?? null) !== null && !('currency' in said) && (own.currency ?? null) === null)
      said.currency = before.currency
    this.#say(id, said)
    writeLists(this.facts, id, fields, adds, this.#now)
    return 'done'
  }

  #upsert({ entity, id, matchOn, fields }: Of<'upsert'>): Outcome {
    // It has to do as a new record, since nobody knows beforehand whether it is one.
    if (this.#lacksCurrency(unsaid(entity), fields)) return null
    const [list, primary] = matchingList[entity][matchOn]!
    const wanted = list ? (elementsIn(fields, list, primary) ?? []) : [fields[primary!] as string]
    const has = (elements: readonly string[]) => elements.some((element) => wanted.includes(element))
    const all = list ? null : played(this.facts, entity)
    const found = this.roots(entity).filter(
      (root) =>
        this.#active(root) &&
        has(list ? listOf(this.facts, root, list) : [all!.get(root)![primary!] as string]),
    )
    if (found.length === 0) return this.#create(entity, id, fields)
    if (found.length > 1 || this.#namesNothing(fields)) return null
    // The one whose own it is; what stands for all of them, if that is nobody's or several have it.
    const owners = membersOf(this.facts, found[0]!).filter((member) => {
      if (list) return has(this.facts.records.get(member)!.own[list]!)
      const said = this.facts.said.filter((each) => each.id === member && primary! in each.fields)
      return has([said.at(-1)?.fields[primary!] as string])
    })
    const named = owners.length === 1 ? owners[0]! : found[0]!
    return this.#write(named, fields, true) && `updated ${named}`
  }

  #setStatus(id: string, status: 'active' | 'archived'): Outcome {
    const root = this.facts.records.get(this.root(id))
    if (!root || root.status === 'erased') return null
    const before = root.status
    root.status = status
    return `was ${before}`
  }

  #erase(id: string): Outcome {
    const { records } = this.facts
    if ((records.get(this.root(id))?.status ?? 'erased') === 'erased') return null
    for (const member of membersOf(this.facts, this.root(id))) {
      records.get(member)!.status = 'erased'
      this.loose.add('company_id')
      // Of one that was ever merged it is blank from now on, whatever comes; of another it might as well not have been said.
      for (const [each, { entity, everMerged }] of records) {
        if (entity === 'company' || everMerged) continue
        if (played(this.facts, entity).get(each)!.company_id === member) this.#say(each, { company_id: null })
      }
    }
    return 'done'
  }

  #end(step: Of<'close' | 'reopen'>): Outcome {
    const root = this.#active(step.id)
    if (!root) return null
    const { status, closed_at, close_reason_id } = shown(this.facts, root) as Fields
    if (step.do === 'reopen') {
      this.#say(step.id, { status: 'open', closed_at: null, close_reason_id: null })
      return `was ${status}`
    }
    if (status !== 'open' && status !== step.status) return null
    this.#say(step.id, {
      status: step.status,
      closed_at: closed_at ?? `closing ${this.#now + 1}`,
      close_reason_id: step.reason === undefined ? close_reason_id : step.reason,
    })
    return `was ${status}`
  }

  #merge(step: Of<'merge'>): Outcome {
    const { entity, survivor, losers, merges, choices } = step
    const all = [survivor, ...losers]
    if (losers.length === 0 || new Set(all).size < all.length) return null
    if (all.some((id) => this.#active(id) !== id) || !this.#mayJoin(all, step.force)) return null
    losers.forEach((loser, index) => {
      const rules = step.rules?.[index] ?? {
        ...this.settings[entity].survivorship,
        ...chosenFor(all, index + 1, choices),
      }
      this.#join(entity, survivor, loser, merges[index]!, merges[0]!, rules)
    })
    return 'done'
  }

  /** Whether none of two of these were said to be different; `force` takes back what was said. */
  #mayJoin(roots: readonly string[], force: boolean, except?: string): boolean {
    const apart = [...this.different].filter((pair) => {
      const [one, other] = pair.split(' and ').map((id) => this.root(id)) as [string, string]
      return pair !== except && one !== other && roots.includes(one) && roots.includes(other)
    })
    if (apart.length > 0 && !force) return false
    for (const pair of apart) this.different.delete(pair)
    return true
  }

  #join(
    entity: Entity,
    survivor: string,
    loser: string,
    name: string,
    group: string,
    rules: Record<string, string>,
  ): void {
    const before = shown(this.facts, survivor)
    const moved = this.childrenOf(entity, membersOf(this.facts, loser)).length
    for (const each of this.facts.merges) {
      const isAbout = each.entity === entity && [each.survivor, each.loser].includes(loser)
      if (isAbout && each.status === 'shadow') each.status = 'stale'
    }
    const at = ++this.#now
    const merge: Merge = {
      ...{ name, entity, survivor, loser, at, rules, group, moved },
      ...{ status: 'applied', isOld: false, filled: [] },
    }
    this.facts.merges.push(merge)
    for (const id of [survivor, loser]) this.facts.records.get(id)!.everMerged = true
    const after = shown(this.facts, survivor)
    merge.filled = Object.keys(after).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    )
  }

  #undo(name: string): Outcome {
    const merge = this.merge(name)
    if (!merge || this.blockOf(merge) !== null) return null
    merge.status = 'undone'
    this.different.add(pairOf(merge.loser, merge.survivor))
    return 'done'
  }

  #redo(name: string): Outcome {
    const merge = this.merge(name)
    if (merge?.status !== 'undone') return null
    const { survivor, loser } = merge
    const [root, other] = [this.#active(survivor), this.#active(loser)]
    if (!root || !other || root === other || other !== loser) return null
    const pair = pairOf(loser, survivor)
    if (!this.#mayJoin([root, other], false, pair)) return null
    merge.moved = this.childrenOf(merge.entity, membersOf(this.facts, loser)).length
    merge.status = 'applied'
    this.different.delete(pair)
    for (const list of Object.entries(kinds[merge.entity].lists).flat()) if (list) this.loose.add(list)
    return 'done'
  }

  #configure({ entity, survivorship, undoDays }: Of<'settings'>): Outcome {
    const settings = this.settings[entity]
    for (const [field, rule] of Object.entries(survivorship)) {
      if (rule === null) delete settings.survivorship[field]
      else settings.survivorship[field] = rule
    }
    if (undoDays !== undefined) settings.undo_days = undoDays
    return 'done'
  }

  #age(name: string): Outcome {
    const merge = this.merge(name)
    if (!merge || !['applied', 'undone'].includes(merge.status)) return null
    merge.isOld = true
    return 'done'
  }

  /** What the engine might have found: an open proposal for two that nothing keeps apart. */
  #propose({ entity, survivor, loser, name }: Of<'propose'>): Outcome {
    const ids = [survivor, loser]
    const isOpen = ({ status, ...each }: Merge) =>
      status === 'shadow' && pairOf(each.survivor, each.loser) === pairOf(survivor, loser)
    if (survivor === loser || ids.some((id) => this.#active(id) !== id)) return null
    if (!this.#mayJoin(ids, false) || this.facts.merges.some(isOpen)) return null
    const rules = {}
    this.facts.merges.push({
      ...{ name, entity, survivor, loser, rules, at: Number.POSITIVE_INFINITY, group: name },
      ...{ status: 'shadow', isOld: false, filled: [], moved: 0 },
    })
    return 'done'
  }

  #answer(step: Of<'apply' | 'dismiss'>): Outcome {
    const proposal = this.merge(step.proposal)
    if (proposal?.status !== 'shadow') return null
    const { entity, survivor, loser } = proposal
    if ([survivor, loser].some((id) => this.#active(id) !== id)) return null
    if (step.do === 'dismiss') {
      proposal.status = 'dismissed'
      this.different.add(pairOf(loser, survivor))
      return 'done'
    }
    return this.#merge({
      ...{ entity, do: 'merge', survivor, losers: [loser], merges: [step.merge] },
      ...{ choices: {}, force: false, dry: false },
    })
  }
}

/** By what `match_on` says: the list whose elements are looked for, and its primary field, or a field alone. */
const matchingList: Record<Entity, Record<string, [list: string | null, primary: string | null]>> = {
  contact: {
    email: ['emails', 'email'],
    phone: ['phones', 'phone'],
    external_id: ['external_ids', null],
  },
  company: { domain: ['domains', 'domain'], phone: [null, 'phone'], external_id: ['external_ids', null] },
  deal: { external_id: ['external_ids', null] },
}

/** What was chosen of the losers up to one: it takes the field when it comes, and keeps it against those after it. */
function chosenFor(
  all: readonly string[],
  turn: number,
  choices: Record<string, string>,
): Record<string, string> {
  const chosen = Object.entries(choices).filter(([, id]) => all.indexOf(id) <= turn)
  return Object.fromEntries(chosen.map(([field, id]) => [field, id === all[turn] ? 'loser' : 'survivor']))
}

/** What `fields` say but for lists, member by member. */
function singles(entity: Entity, fields: Fields): Fields {
  const known = new Set(unitsOf(entity).flatMap(([, all]) => all))
  const lists = new Set(Object.entries(kinds[entity].lists).flat())
  const { consent, ...rest } = fields as { consent?: Fields | null }
  const said: Fields = Object.fromEntries(
    Object.entries(rest).filter(
      ([field, value]) => known.has(field) && !lists.has(field) && value !== undefined,
    ),
  )
  if ('custom' in said) said.custom ??= {}
  if (consent === null) Object.assign(said, { 'consent.email': 'unknown', 'consent.phone': 'unknown' })
  for (const [way, value] of Object.entries(consent ?? {})) said[`consent.${way}`] = value
  return said
}
