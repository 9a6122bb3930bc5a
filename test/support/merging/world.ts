import { ValidationError } from '../../../src/platform/http/validation.ts'
import { runUnsliced } from '../../../src/platform/slices.ts'
import { attributingWrite, matchedMember, writeOf } from '../../../src/records/clusters/attribution.ts'
import type { Cluster, MergeLink } from '../../../src/records/clusters/cluster.ts'
import { joinClusters, splitCluster, subclusterOf } from '../../../src/records/clusters/cluster.ts'
import { clusterOf } from '../../../src/records/clusters/facts.ts'
import { unmergedState, viewOf } from '../../../src/records/clusters/view.ts'
import { hashedKeys, keyName } from '../../../src/records/keys.ts'
import { type Owners, ownersOf } from '../../../src/records/owners/owner.ts'
import { idOf, withOwner } from '../../../src/records/owners/owner-fields.ts'
import type {
  Fields,
  OrgDefaults,
  RecordType,
  StoredColumns,
  StoredRecord,
} from '../../../src/records/record-type.ts'
import { members } from './naive-rules.ts'
import type { Step } from './steps.ts'

const orgDefaults: OrgDefaults = { defaultCountry: 'US', stages: ['New', 'Proposal'] }

const owners: Owners = ownersOf(
  Object.entries(members).map(([email, member_id]) => ({ member_id, email, email_key: email, name: email })),
)

/** Records of one type, in memory, in the form of the database. */
export class World {
  readonly type: RecordType
  readonly records = new Map<string, StoredRecord>()
  readonly links = new Map<string, MergeLink>()
  readonly undone = new Set<string>()
  readonly different = new Set<string>()
  readonly #into = new Map<string, string>()
  readonly #taken = new Set<string>()
  /** For each write, the columns that it completed with shown values, such as the currency of an amount. */
  readonly completed: { unit: readonly string[]; values: string }[] = []
  #seq = 0

  constructor(type: RecordType) {
    this.type = type
  }

  /**
   * Lists in which a write chose or removed an absorbed record's primary element. Without the merge, it would affect
   * another element.
   */
  get taken(): string[] {
    return [...this.#taken]
  }

  root(id: string): string {
    return this.#into.get(id) ?? id
  }

  /** Returns null if the step is refused. */
  take(step: Step): string | null {
    try {
      return this.#take(step)
    } catch (error) {
      if (error instanceof ValidationError) return null
      throw error
    }
  }

  #take(step: Step): string | null {
    switch (step.do) {
      case 'create':
        return this.#create(step.id, step.fields)
      case 'write':
        return this.#write(step.id, this.#active(step.id), step.fields, false)
      case 'upsert':
        return this.#upsert(step.id, step.matchOn, step.fields)
      case 'archive':
        return this.#setStatus(step.id, 'archived')
      case 'restore':
        return this.#setStatus(step.id, 'active')
      case 'erase':
        return this.#erase(step.id)
      case 'merge':
        return this.#merge(step)
      case 'undo':
        return this.#undo(step.merge)
      case 'redo':
        return this.#redo(step.merge)
    }
  }

  /** Canonical records without the columns in `but`, and the ids that lead to them. */
  shown(but: readonly string[] = []): Record<string, StoredColumns> {
    const roots = [...this.records].filter(([id]) => this.root(id) === id).sort()
    return Object.fromEntries(
      roots.map(([id, { state, status, cluster }]) => [
        id,
        {
          ...omit({ ...state, aliases: state.aliases ?? [] }, but),
          status,
          ids: [...(cluster?.members.keys() ?? [id])].sort(),
        },
      ]),
    )
  }

  #create(id: string, fields: Fields): string | null {
    if (this.records.has(id)) return null
    const state = this.type.apply(null, withOwner(fields, owners), orgDefaults, false)
    this.type.check(null, state, orgDefaults)
    this.records.set(id, {
      recordId: id,
      status: 'active',
      version: 1,
      state,
      wasMerged: false,
      cluster: null,
    })
    return 'created'
  }

  #active(id: string): StoredRecord | null {
    const stored = this.records.get(this.root(id))
    return stored?.status === 'active' ? stored : null
  }

  #write(id: string, stored: StoredRecord | null, given: Fields, add: boolean): string | null {
    if (!stored) return null
    const { type } = this
    const fields = withOwner(given, owners)
    const state = type.apply(stored.state, fields, orgDefaults, add)
    type.check(stored.state, state, orgDefaults)
    if (!stored.cluster) stored.state = state
    else {
      if (!add) this.#notePrimaries(stored.cluster, id, given)
      this.#noteCompleted(stored.cluster, id, given, state)
      const write = writeOf(
        type,
        stored.cluster,
        { recordId: id, fields, orgDefaults, add },
        stored.state,
        state,
      )
      Object.assign(stored, runUnsliced(attributingWrite(type, stored.cluster, write, state, ++this.#seq)))
    }
    return 'done'
  }

  #notePrimaries(cluster: Cluster, id: string, given: Fields): void {
    const own = unmergedState(this.type, cluster.members.get(id)!)
    const state = viewOf(this.type, subclusterOf(cluster, id))
    for (const [list, { primary }] of Object.entries(this.type.merging.lists)) {
      if (!primary || !(primary in given) || list in given) continue
      const has = (of: StoredColumns) => (of[list] as unknown[]).includes(given[primary])
      if (own[primary] !== state[primary] || has(own) !== has(state)) this.#taken.add(list).add(primary)
    }
  }

  #noteCompleted(cluster: Cluster, id: string, given: Fields, state: StoredColumns): void {
    const own = unmergedState(this.type, cluster.members.get(id)!)
    for (const unit of Object.values(this.type.merging.units ?? {})) {
      const shown = unit.filter((column) => !(column in given) && own[column] === null)
      const values = JSON.stringify([id, ...shown.map((column) => state[column])])
      if (shown.length > 0 && unit.some((column) => column in given)) this.completed.push({ unit, values })
    }
  }

  #upsert(id: string, matchOn: string, fields: Fields): string | null {
    const { type } = this
    const keysOf = (state: StoredColumns) => hashedKeys(type.matchOn[matchOn]!(state))
    const fresh = type.apply(null, withOwner(fields, owners), orgDefaults, false)
    type.check(null, fresh, orgDefaults)
    const wanted = keysOf(fresh)
    const names = new Set(wanted.map(keyName))
    const matching = [...this.records.values()].filter(
      ({ recordId, status, state }) =>
        this.root(recordId) === recordId &&
        status === 'active' &&
        keysOf(state).some((key) => names.has(keyName(key))),
    )
    if (matching.length === 0) return this.#create(id, fields)
    const [stored] = matching
    if (!stored || matching.length > 1) return null
    const { cluster, recordId } = stored
    const named = cluster ? matchedMember(type, cluster, matchOn, wanted) : recordId
    return this.#write(named, stored, fields, true) && named
  }

  #setStatus(id: string, status: string): string | null {
    const stored = this.records.get(this.root(id))
    if (!stored) return null
    const before = stored.status
    stored.status = status
    return `was ${before}`
  }

  #erase(id: string): string | null {
    const stored = this.records.get(this.root(id))
    if (!stored) return null
    for (const each of stored.cluster?.members.keys() ?? [id]) this.records.delete(each)
    return 'done'
  }

  #merge({ survivor, losers, merges, policies }: Extract<Step, { do: 'merge' }>): string | null {
    const all = [survivor, ...losers].map((id) => (this.root(id) === id ? this.#active(id) : null))
    if (losers.length === 0 || new Set(all).size < all.length || all.includes(null)) return null
    const [first, ...others] = all as [StoredRecord, ...StoredRecord[]]
    if (this.#apart(all.map((stored) => clusterOf(this.type, stored!)))) return null
    let cluster = clusterOf(this.type, first)
    for (const [index, loser] of others.entries()) {
      const [mergeId, seq] = [merges[index]!, ++this.#seq]
      const link = {
        mergeId,
        loserId: loser.recordId,
        survivorId: survivor,
        seq,
        policies: policies[index] ?? null,
      }
      this.links.set(mergeId, link)
      cluster = joinClusters(cluster, clusterOf(this.type, loser), link)
    }
    this.#stand(cluster)
    return 'done'
  }

  #undo(mergeId: string): string | null {
    const link = this.links.get(mergeId)
    if (!link || this.undone.has(mergeId)) return null
    const stored = this.#active(link.loserId)
    if (!stored) return null
    const { rest, split } = splitCluster(stored.cluster!, mergeId)
    this.undone.add(mergeId)
    this.different.add([link.loserId, link.survivorId].sort().join())
    this.#stand(rest)
    this.#stand(split)
    return 'done'
  }

  #redo(mergeId: string): string | null {
    const link = this.links.get(mergeId)
    if (!link || !this.undone.has(mergeId)) return null
    const [root, loser] = [this.#active(link.survivorId), this.#active(link.loserId)]
    if (!root || !loser || root === loser || loser.recordId !== link.loserId) return null
    const clusters = [clusterOf(this.type, root), clusterOf(this.type, loser)] as const
    const pair = [link.loserId, link.survivorId].sort().join()
    if (this.#apart(clusters, pair)) return null
    this.undone.delete(mergeId)
    this.different.delete(pair)
    this.#stand(joinClusters(clusters[0], clusters[1], link))
    return 'done'
  }

  #apart(clusters: readonly Cluster[], except?: string): boolean {
    const of = new Map(clusters.flatMap((each) => [...each.members.keys()].map((id) => [id, each] as const)))
    return [...this.different].some((pair) => {
      const [one, other] = pair.split(',') as [string, string]
      return pair !== except && of.has(one) && of.has(other) && of.get(one) !== of.get(other)
    })
  }

  #stand(cluster: Cluster): void {
    const { rootId, members } = cluster
    for (const id of members.keys()) this.#into.set(id, rootId)
    const stored = this.records.get(rootId)!
    const state =
      this.type.merging.adjust?.(viewOf(this.type, cluster), orgDefaults) ?? viewOf(this.type, cluster)
    for (const { rawColumn, column } of this.type.links) state[column] = state[rawColumn]
    for (const { rawColumn, column } of this.type.references) state[column] = state[rawColumn]
    state.owner_id = idOf(state.owner_email, owners)
    Object.assign(stored, { cluster, wasMerged: true, state })
  }
}

const omit = (state: StoredColumns, columns: readonly string[]): StoredColumns =>
  Object.fromEntries(Object.entries(state).filter(([column]) => !columns.includes(column)))
