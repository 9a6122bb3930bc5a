import { expect } from 'vitest'
import { recordTypes } from '../../src/duplicates/entities.ts'
import { policiesOf } from '../../src/duplicates/policies.ts'
import type { Answer, TestOrg } from '../app.ts'
import { type Entity, names, type OrgStep, toldOrg } from './org-steps.ts'
import type { Step } from './steps.ts'
import { type Shown, shownBy, type Worlds } from './wire.ts'
import { type Done, without } from './without.ts'
import { World } from './world.ts'

const entities = Object.keys(names) as Entity[]
const lists = [
  'emails',
  'email',
  'phones',
  'phone',
  'domains',
  'domain',
  'tags',
  'external_ids',
  'contact_ids',
]

/** An org that is driven through the API, and the same in memory: both have to say the same at every step. */
export class DrivenOrg {
  readonly #org: TestOrg
  readonly #ids = new Map<string, string>()
  readonly #names = new Map<string, string>()
  readonly #versions = new Map<string, number>()
  readonly #worlds: Worlds = {
    contact: new World(recordTypes.contact),
    company: new World(recordTypes.company),
    deal: new World(recordTypes.deal),
  }
  readonly #done: Record<Entity, Done[]> = { contact: [], company: [], deal: [] }
  readonly #told: OrgStep[] = []
  /** Steps that were not refused. */
  taken = 0

  constructor(org: TestOrg) {
    this.#org = org
  }

  get history(): string {
    return toldOrg(this.#told)
  }

  /** Creates the records that all histories begin with, in few requests. */
  async begin(steps: readonly OrgStep[]): Promise<void> {
    for (const entity of ['company', 'contact', 'deal'] as const) {
      const own = steps.filter((step) => step.entity === entity && step.do === 'create')
      const items = own.map((step) => this.#named((step as { fields: object }).fields))
      const { body } = await this.#org.post(`${recordTypes[entity].path}/batch`, { items })
      for (const [index, step] of own.entries()) {
        this.#told.push(step)
        const made = this.#take(entity, step as Step)
        expect([body.data[index].outcome, made]).toEqual(
          made === null ? ['failed', null] : ['created', 'created'],
        )
        if (made) this.#know((step as { id: string }).id, body.data[index][recordTypes[entity].idField])
      }
    }
  }

  async take(step: OrgStep): Promise<void> {
    const { entity } = step
    this.#told.push(step)
    if (step.do === 'there and back') {
      const before = await this.dump()
      const merged = await this.#do({ ...step, do: 'merge', choices: {} })
      if (!merged) return
      for (const merge of step.merges) await this.#do({ entity, do: 'undo', merge })
      expect(await this.dump(), `${this.history}\nmerge and undo`).toEqual(before)
    } else if (step.do === 'back and there') {
      const before = await this.dump()
      if (!(await this.#do({ entity, do: 'undo', merge: step.merge }))) return
      expect(await this.#do({ entity, do: 'redo', merge: step.merge }), this.history).toBe(true)
      expect(await this.dump(), `${this.history}\nundo and redo`).toEqual(before)
    } else await this.#do(step)
  }

  /** Sends a step, and takes it in memory; whether it was accepted, which both have to agree on. */
  async #do(step: Exclude<OrgStep, { do: 'there and back' | 'back and there' }>): Promise<boolean> {
    const answer = await this.#send(step)
    const expected = this.#take(step.entity, this.#stepOf(step))
    const accepted = answer !== null && answer.status < 300
    expect([accepted, answer?.body?.detail ?? ''], `${this.history}\n${answer?.text}`).toEqual(
      expected === null ? [false, expect.anything()] : [true, ''],
    )
    if (!accepted) {
      expect([404, 409, 422, undefined]).toContain(answer?.status)
      return false
    }
    this.taken++
    const { idField } = recordTypes[step.entity]
    if (step.do === 'create' || step.do === 'upsert') {
      expect(answer.body.data.outcome ?? 'created', this.history).toBe(
        expected === 'created' ? 'created' : 'updated',
      )
      if (expected === 'created') this.#know(step.id, answer.body.data[idField])
    }
    if (step.do === 'merge')
      for (const [index, each] of answer.body.data.merges.entries())
        this.#know(step.merges[index]!, each.merge_id)
    const shown = step.do === 'merge' ? answer.body.data.record : answer.body.data
    if (shown.version && shown[idField] && step.do !== 'undo') this.#rise(shown[idField], shown.version)
    return true
  }

  /** A version under an id only rises. */
  #rise(id: string, version: number): void {
    expect(version, this.history).toBeGreaterThanOrEqual(this.#versions.get(id) ?? 0)
    this.#versions.set(id, version)
  }

  #know(name: string, id: string): void {
    this.#ids.set(name, id)
    this.#names.set(id, name)
  }

  #stepOf(step: OrgStep): Step {
    if (step.do !== 'merge') return step as Step
    const { survivor: survivorId, losers: loserIds, choices } = step
    const policies = policiesOf(recordTypes[step.entity], {}, { survivorId, loserIds, choices })
    return { ...step, policies } as Step
  }

  #take(entity: Entity, step: Step): string | null {
    if ('fields' in step && this.#namesNothing(step.fields)) return null
    const outcome = this.#worlds[entity].take(step)
    if (outcome !== null) this.#done[entity].push({ step, outcome })
    return outcome
  }

  /** True if a field names a record that is no more. */
  #namesNothing(fields: Record<string, unknown>): boolean {
    const gone = (entity: Entity, id: unknown) => {
      const { records } = this.#worlds[entity]
      return typeof id === 'string' && !records.has(id)
    }
    const contactIds = (fields.contact_ids ?? []) as string[]
    return gone('company', fields.company_id) || contactIds.some((id) => gone('contact', id))
  }

  #send(step: OrgStep): Promise<Answer> | null {
    const { path } = recordTypes[step.entity]
    const at = 'id' in step ? `${path}/${this.#ids.get(step.id)}` : path
    const isUnknown = 'id' in step && !this.#ids.has(step.id)
    switch (step.do) {
      case 'create':
        return this.#org.post(path, this.#named(step.fields))
      case 'upsert':
        return this.#org.post(`${path}/upsert`, { match_on: step.matchOn, ...this.#named(step.fields) })
      case 'write':
        return isUnknown ? null : this.#org.patch(at, this.#named(step.fields))
      case 'archive':
        return isUnknown ? null : this.#org.delete(at)
      case 'restore':
      case 'erase':
        return isUnknown ? null : this.#org.post(`${at}/${step.do}`)
      case 'merge':
      case 'there and back': {
        const ids = [step.survivor, ...step.losers].map((name) => this.#ids.get(name))
        if (ids.includes(undefined)) return null
        const [survivor_id, ...loser_ids] = ids
        const field_choices = 'choices' in step ? this.#named(step.choices) : {}
        return this.#org.post('/duplicates/merge', {
          ...{ entity_type: step.entity, survivor_id, loser_ids, field_choices },
        })
      }
      default: {
        const id = this.#ids.get(step.merge)
        if (!id) return null
        return this.#org.post(`/duplicates/${step.do === 'undo' ? 'undo' : 'redo'}-merge/${id}`)
      }
    }
  }

  /** Fields with ids where they have names. */
  #named(fields: object): Record<string, unknown> {
    const idOf = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(idOf) : (this.#ids.get(value as string) ?? value)
    const naming = ['company_id', 'contact_ids']
    const isChoice = (field: string, value: unknown) =>
      naming.includes(field) || (typeof value === 'string' && field !== 'first_name' && field !== 'name')
    return Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, isChoice(field, value) ? idOf(value) : value]),
    )
  }

  /** What the org shows, by name; without what every change moves. */
  async dump(): Promise<Shown> {
    const shown: Shown = {}
    const pages = entities.flatMap((entity) =>
      [false, true].map(async (archived) => {
        const { path, idField } = recordTypes[entity]
        const which =
          entity === 'deal' ? `archived=${archived}` : `status=${archived ? 'archived' : 'active'}`
        const { body } = await this.#org.get(`${path}?limit=100&${which}`)
        expect(body.pagination.total).toBe(body.data.length)
        for (const {
          version,
          updated_at: _,
          created_at: _made,
          archived_at: _archived,
          ...record
        } of body.data) {
          this.#rise(record[idField], version)
          shown[this.#names.get(record[idField])!] = { ...this.#unnamed(record), archived }
        }
      }),
    )
    await Promise.all(pages)
    return shown
  }

  #unnamed(record: Record<string, unknown>): Record<string, unknown> {
    const named = (_key: string, value: unknown) => this.#names.get(value as string) ?? value
    return JSON.parse(JSON.stringify(record), named) as Record<string, unknown>
  }

  /** What the org should show, as it was done; and as it would be, had what is undone never been. */
  expected(): { live: Shown; counterfactual: Shown | null; loose: string[] } {
    const others = entities.map((entity) => {
      const { type, undone } = this.#worlds[entity]
      return without(type, this.#done[entity], undone)
    })
    const [contact, company, deal] = others
    const complete = contact && company && deal ? { contact, company, deal } : null
    const taken = [this.#worlds, complete ?? this.#worlds].flatMap((worlds) =>
      entities.flatMap((entity) => worlds[entity].taken),
    )
    // What a list lost while a merge was undone, it did not lose for the records of the other side.
    const isRedone = entities.some((entity) => this.#done[entity].some(({ step }) => step.do === 'redo'))
    return {
      live: shownBy(this.#worlds),
      counterfactual: complete && shownBy(complete),
      loose: [...taken, ...(isRedone ? lists : [])],
    }
  }

  /** Every id that was ever issued leads to the record that stands for it, or to none if that was erased. */
  async proveIdsResolve(): Promise<void> {
    for (const entity of entities) {
      const { path, idField } = recordTypes[entity]
      const { records } = this.#worlds[entity]
      for (const [name, id] of [...this.#ids].filter(([name]) =>
        new RegExp(`^[${names[entity].join('')}]`).test(name),
      )) {
        const { status, body } = await this.#org.get(`${path}/${id}`)
        const root = records.has(name) ? this.#worlds[entity].root(name) : undefined
        const found = status === 200 ? this.#names.get(body.data[idField]) : undefined
        expect([name, found], this.history).toEqual([name, root])
      }
    }
  }

  /** What each merge says of undoing it is so: in a dry run, and then for real, one after the other. */
  async proveTruthful(): Promise<void> {
    const { body } = await this.#org.get('/duplicates/recent-merges?limit=100')
    for (const { merge_id, can_undo } of body.data) {
      const { status, text } = await this.#org.post(`/duplicates/undo-merge/${merge_id}`, { dry_run: true })
      expect([can_undo, status], `${this.history}\n${text}`).toEqual([can_undo, can_undo ? 200 : 409])
    }
    for (const { merge_id } of body.data) {
      const now = (await this.#org.get('/duplicates/recent-merges?limit=100')).body.data
      const { can_undo } = now.find((row: { merge_id: string }) => row.merge_id === merge_id)
      const { status, text } = await this.#org.post(`/duplicates/undo-merge/${merge_id}`)
      expect([can_undo, status], `${this.history}\n${text}`).toEqual([can_undo, can_undo ? 200 : 409])
      const merge = this.#names.get(merge_id)!
      const entity = entities.find((each) => merge.startsWith(`${each} merge`))!
      expect(this.#take(entity, { do: 'undo', merge }) !== null, this.history).toBe(can_undo)
    }
  }
}
