import type { Client } from 'pg'
import { expect } from 'vitest'
import type { Answer, TestOrg } from '../app.ts'
import { compareFilters } from './compare-filters.ts'
import { describeStep, numbered } from './describe-step.ts'
import { expectedRecord, expectedRow, expectedRows, identify, plainRecord, plainRow } from './expected.ts'
import { NaiveOrg, type Step } from './naive-org.ts'
import { remarksShown } from './naive-remarks.ts'
import { type Entity, type Fields, kinds } from './naive-rules.ts'
import { takeStep } from './naive-steps.ts'
import { membersOf, shown } from './naive-view.ts'
import { type DoneStep, withoutUndoneMerges } from './naive-without.ts'
import { OrgRequests } from './org-requests.ts'
import type { OrgStep } from './org-step.ts'
import { entities } from './org-steps.ts'

/**
 * An org that is changed through the API, together with a naive org that gets the same steps. Both must agree after
 * every step.
 */
export class DrivenOrg {
  readonly requests: OrgRequests
  readonly #versions = new Map<string, number>()
  /** The closing times, by the names that the naive org gives them. */
  readonly #closings = new Map<unknown, unknown>()
  readonly #done: DoneStep[] = []
  readonly #lines: string[] = []
  readonly naive = new NaiveOrg()
  taken = 0

  constructor(org: TestOrg, client: Client) {
    this.requests = new OrgRequests(org, client)
  }

  get history(): string {
    return `\n${numbered(this.#lines)}\n`
  }

  /** Creates the first records, in few requests. */
  async begin(steps: readonly OrgStep[]): Promise<void> {
    for (const entity of ['company', 'contact', 'deal'] as const) {
      const items = steps.flatMap((step) => (step.entity === entity && step.do === 'create' ? [step] : []))
      await this.take({ entity, do: 'batch', items })
    }
  }

  /** Adds a line to the history that a failure prints. */
  tell(line: string): void {
    this.#lines.push(line)
  }

  async take(step: OrgStep): Promise<void> {
    const { entity } = step
    this.#lines.push(describeStep(step))
    if (step.do === 'there and back') {
      const before = await this.dump(entities)
      if (!(await this.#do({ ...step, do: 'merge', choices: {}, force: false, dry: false }))) return
      for (const merge of step.merges) await this.#do({ entity, do: 'undo', merge })
      expect(await this.dump(entities), `${this.history}\nmerge and undo`).toEqual(before)
    } else if (step.do === 'back and there') {
      const before = await this.dump(entities)
      if (!(await this.#do({ entity, do: 'undo', merge: step.merge }))) return
      expect(await this.#do({ entity, do: 'redo', merge: step.merge }), this.history).toBe(true)
      expect(await this.dump(entities), `${this.history}\nundo and redo`).toEqual(before)
    } else if (await this.#do(step)) {
      if (step.do === 'undo' || step.do === 'redo') await this.compare(concernedBy[entity])
    }
  }

  /** Returns whether both orgs accepted the step. */
  async #do(step: Step): Promise<boolean> {
    const now = this.naive
    const naive = step.do === 'merge' && step.dry ? now.copy() : now
    const outcome = takeStep(naive, step)
    if (naive === now) this.#done.push({ step, outcome })
    if (outcome !== null) this.taken++
    if (step.do === 'age' || step.do === 'propose') {
      if (outcome !== null)
        await (step.do === 'age' ? this.requests.age(step.merge) : this.requests.propose(step))
      return outcome !== null
    }
    const answer = await this.requests.send(step)
    const accepted = answer !== null && answer.status < 300
    expect(accepted, `${this.history}${answer?.text}\nexpected: ${outcome}`).toBe(outcome !== null)
    if (!accepted) expect([404, 409, 422, undefined], answer?.text).toContain(answer?.status)
    else this.#compareAnswer(step, naive, outcome!, answer)
    return accepted
  }

  #compareAnswer(step: Step, naive: NaiveOrg, outcome: string, { body: { data } }: Answer): void {
    const { idField } = kinds[step.entity]
    switch (step.do) {
      case 'create':
      case 'upsert':
        if (outcome === 'created') this.requests.know(step.id, data[idField])
        expect(data.outcome ?? 'created', this.history).toBe(outcome.split(' ')[0])
        this.#compareRecord(naive, data)
        break
      case 'batch':
        this.#compareBatch(step, outcome.split(','), data)
        break
      case 'write':
      case 'archive':
      case 'restore':
      case 'close':
      case 'reopen':
        this.#compareRecord(naive, data)
        break
      case 'merge':
        if (!step.dry)
          for (const [index, each] of data.merges.entries())
            this.requests.know(step.merges[index]!, each.merge_id)
        expect(data.merges.length, this.history).toBe(step.losers.length)
        this.#compareRecord(naive, data.record, step.dry)
        break
      case 'apply':
        this.requests.know(step.merge, data.merge_id)
        break
      case 'undo':
        this.#compareUndone(step.merge, data)
        break
    }
  }

  #compareBatch(
    { entity, items }: Extract<Step, { do: 'batch' }>,
    outcomes: readonly string[],
    data: Fields[],
  ): void {
    const expected = outcomes.map((each) => each.split(' ')[0])
    expect(
      data.map(({ outcome }) => outcome),
      `${this.history}${JSON.stringify(data)}`,
    ).toEqual(expected)
    for (const [index, { id }] of items.entries())
      if (outcomes[index] === 'created') this.requests.know(id, data[index]![kinds[entity].idField] as string)
  }

  #compareUndone(name: string, data: Fields): void {
    const merge = this.naive.merge(name)!
    const { entity, loser, survivor } = merge
    const childrenOf = (id: string) =>
      this.naive.childrenOf(entity, membersOf(this.naive.facts, this.naive.root(id))).length
    const { restored_id, returned_children, kept_children } = this.requests.withNames(data)
    expect([restored_id, returned_children, kept_children], this.history).toEqual([
      ...[loser, childrenOf(loser), childrenOf(survivor)],
    ])
    expect(plainRow(this.requests, data), this.history).toEqual(expectedRow(this.naive, merge))
  }

  #compareRecord(naive: NaiveOrg, record: Fields, dry = false): void {
    const { entity, id } = identify(record)
    const name = this.requests.nameOf(id)!
    const expected = this.#asShown(naive, name, shown(naive.facts, name), record.closed_at)
    expect(this.#plain(record, dry), `${this.history}${entity} ${name}`).toEqual(expected)
  }

  /** Leaves out fields that every change updates. Checks that the version does not decrease. */
  #plain(record: Fields, dry = false): Fields {
    if (!dry) this.#rise(identify(record).id, record.version as number)
    return plainRecord(this.requests, record)
  }

  #rise(id: string, version: number): void {
    expect(version, this.history).toBeGreaterThanOrEqual(this.#versions.get(id) ?? 0)
    this.#versions.set(id, version)
  }

  /** @param closed the closing time in the answer. Its first value is not checked */
  #asShown(naive: NaiveOrg, name: string, fields: Fields, closed: unknown): Fields {
    const record = expectedRecord(naive, this.requests, name, fields)
    const { closed_at: closing } = fields
    if (!closing) return record
    if (!this.#closings.has(closing)) this.#closings.set(closing, closed ?? expect.any(Number))
    return { ...record, closed_at: this.#closings.get(closing) }
  }

  /** Returns records by name. If the naive org has no archived records, only `thoroughly` lists the archived ones. */
  async dump(which: readonly Entity[] = entities, thoroughly = false): Promise<Record<string, Fields>> {
    const all: Record<string, Fields> = {}
    const pages = which.flatMap((entity) =>
      [false, ...(thoroughly || this.naive.hasArchived(entity) ? [true] : [])].map(async (archived) => {
        const { path } = kinds[entity]
        const state = `archived=${archived}`
        const { body } = await this.requests.get(`${path}?limit=100&${state}`)
        expect(body.pagination.total, this.history).toBe(body.data.length)
        for (const record of body.data as Fields[])
          all[this.requests.nameOf(identify(record).id)!] = this.#plain(record)
      }),
    )
    await Promise.all(pages)
    return all
  }

  async compare(which: readonly Entity[] = entities, thoroughly = false): Promise<void> {
    const [all, expected] = [await this.dump(which, thoroughly), this.naive.shown(which)]
    for (const [name, fields] of Object.entries(expected))
      expected[name] = this.#asShown(this.naive, name, fields, all[name]?.closed_at)
    expect(all, this.history).toEqual(expected)
    await this.compareRemarks()
    if (thoroughly) await compareFilters(this.requests, this.naive, this.history)
  }

  /** Checks which record each note and task shows, and, for one record, which of them its list has. */
  async compareRemarks(): Promise<void> {
    for (const kind of ['note', 'task'] as const) {
      const expected = remarksShown(this.naive, kind)
      expect(await this.requests.remarks(kind), this.history).toEqual(expected)
      const about = Object.values(expected).at(-1)
      if (about === undefined) continue
      const same = Object.entries(expected).filter(([, root]) => root === about)
      expect(await this.requests.remarks(kind, about), this.history).toEqual(Object.fromEntries(same))
    }
  }

  /** Reads the recent merges, by the names of their records. */
  async rows(): Promise<Record<string, Fields>> {
    const { body } = await this.requests.get('/duplicates/recent-merges?include_shadow=true&limit=100')
    const ids = (body.data as Fields[]).map(({ merge_id }) => merge_id as string)
    expect(ids, this.history).toEqual(ids.toSorted().toReversed())
    return Object.fromEntries(
      (body.data as Fields[]).map((row) => [
        this.requests.nameOf(row.merge_id as string)!,
        plainRow(this.requests, row),
      ]),
    )
  }

  async compareMerges(): Promise<void> {
    expect(await this.rows(), this.history).toEqual(expectedRows(this.naive))
  }

  /**
   * Histories that differ only in undone merges must show the same records. Returns whether there is such a history.
   */
  compareWithout(): boolean {
    const other = withoutUndoneMerges(this.naive, this.#done)
    if (!other) return false
    const loose = new Set([...this.naive.loose, ...other.loose])
    const but = (org: NaiveOrg) => ({
      notes: remarksShown(org, 'note'),
      tasks: remarksShown(org, 'task'),
      ...Object.fromEntries(
        Object.entries(org.shown()).map(([name, record]) => [
          name,
          Object.fromEntries(
            Object.entries(record).filter(([field]) => !loose.has(field) && field !== 'closed_at'),
          ),
        ]),
      ),
    })
    expect(but(this.naive), `${this.history}\nwithout what was undone`).toEqual(but(other))
    return true
  }

  /** Checks that absorbed ids show their canonical record, and erased ids nothing. */
  async compareIds(): Promise<void> {
    for (const [name, id] of this.requests.known) {
      const record = this.naive.facts.records.get(name)
      if (!record || (this.naive.root(name) === name && record.status !== 'erased')) continue
      const { path } = kinds[record.entity]
      const { status, body, headers } = await this.requests.get(`${path}/${id}`)
      expect([name, status], this.history).toEqual([name, record.status === 'erased' ? 404 : 200])
      if (status !== 200) continue
      this.#compareRecord(this.naive, body.data)
      const root = this.requests.idOf(this.naive.root(name))
      expect(headers.get('content-location')).toBe(`/api/v1${path}/${root}`)
    }
  }

  /** Checks `can_undo` of each merge with a dry run, then with an undo. */
  async undoAll(): Promise<void> {
    const merges = this.naive.facts.merges.filter(({ status }) =>
      ['applied', 'undone', 'shadow'].includes(status),
    )
    for (const merge of merges.slice(-3)) {
      const { status, text } = await this.requests.undo(merge.name, true)
      const block = this.naive.blockOf(merge)
      expect(status, `${this.history}${merge.name} ${block} ${text}`).toBe(block === null ? 200 : 409)
    }
    for (const { name: merge, entity, status } of merges.toReversed()) {
      if (status !== 'applied') continue
      this.#lines.push(`${merge} is undone`)
      await this.#do({ entity, do: 'undo', merge })
    }
  }
}

/** The record types that a merge or an undo of a type changes: the type itself, and the types that refer to it. */
const concernedBy: Record<Entity, Entity[]> = {
  contact: ['contact', 'deal'],
  company: entities,
  deal: ['deal'],
}
