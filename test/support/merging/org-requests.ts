import type { Client } from 'pg'
import { v7 } from 'uuid'
import { putMembership } from '../../../src/members/memberships.ts'
import { findByEmail, insertPerson } from '../../../src/members/people.ts'
import type { Answer, TestApp, TestOrg } from '../app.ts'
import { type Fields, kinds, members } from './naive-rules.ts'
import type { NewRecord, OrgStep } from './org-step.ts'

const entityNames = ['contact', 'company', 'deal'] as const

/** The members of `custom` that have definitions. */
export const definedKeys = ['n', 'm'] as const

type Sent = Exclude<OrgStep, { do: 'back and there' | 'there and back' }>

/** Sends steps to the API with ids for names, and translates the answers back. */
export class OrgRequests {
  readonly #org: TestOrg
  readonly #client: Client
  readonly #ids = new Map<string, string>()
  readonly #names = new Map<string, string>()

  /** @param client for what no request does: time passes, or the engine finds duplicates */
  constructor(org: TestOrg, client: Client) {
    this.#org = org
    this.#client = client
  }

  know(name: string, id: string): void {
    this.#ids.set(name, id)
    this.#names.set(id, name)
  }

  idOf(name: string): string | undefined {
    return this.#ids.get(name)
  }

  /** Makes the members of the naive org members of the org. */
  async addMembers(app: TestApp): Promise<void> {
    for (const [email, name] of Object.entries(members)) {
      const memberId = await app.operate(async (tx) => {
        const person = { email, emailKey: email, name, password: '' }
        const memberId = (await insertPerson(tx, person)) ?? (await findByEmail(tx, email))!.member_id
        await putMembership(tx, this.#org.orgId, memberId, 'member')
        return memberId
      })
      this.know(name, memberId)
    }
  }

  /** Defines members of `custom` that steps write, with indexes. */
  async defineFields(): Promise<void> {
    for (const entity of entityNames)
      for (const key of definedKeys) {
        const { status, text } = await this.#org.post('/fields', {
          ...{ entity, key, type: 'number', filterable: true },
        })
        if (status !== 201) throw new Error(text)
      }
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id)
  }

  get known(): [string, string][] {
    return [...this.#ids]
  }

  get(path: string): Promise<Answer> {
    return this.#org.get(path)
  }

  /** Returns null if the record was never created. */
  async send(step: Sent): Promise<Answer | null> {
    const { path } = kinds[step.entity]
    if ('id' in step && step.do !== 'create' && step.do !== 'upsert' && !this.#ids.has(step.id)) return null
    const at = 'id' in step ? `${path}/${this.#ids.get(step.id)}` : path
    switch (step.do) {
      case 'create':
        return this.#org.post(path, this.#withIds(step.fields))
      case 'upsert':
        return this.#org.post(`${path}/upsert`, this.#item(step))
      case 'batch':
        return this.#org.post(`${path}/batch`, { items: step.items.map((each) => this.#item(each)) })
      case 'write':
        return this.#org.patch(at, this.#withIds(step.fields))
      case 'archive':
        return this.#org.delete(at)
      case 'close': {
        const { status, reason } = step
        const close_reason_id = reason && (await this.#reason(reason))
        return this.#org.post(`${at}/close`, reason === undefined ? { status } : { status, close_reason_id })
      }
      case 'restore':
      case 'erase':
      case 'reopen':
        return this.#org.post(`${at}/${step.do}`)
      case 'note':
      case 'task': {
        const { entity: entity_type, id, text } = step
        const about = { entity_type, record_id: this.#ids.get(id) }
        return step.do === 'note'
          ? this.#org.post('/notes', { ...about, text })
          : this.#org.post('/tasks', { ...about, title: text })
      }
      case 'merge':
        return this.#merge(step)
      case 'settings': {
        const undoDays = step.undoDays === undefined ? {} : { undo_days: step.undoDays }
        return this.#org.patch('/duplicates/settings', {
          [step.entity]: { survivorship: step.survivorship, ...undoDays },
        })
      }
      case 'undo':
      case 'redo': {
        const id = this.#ids.get(step.merge)
        return id ? this.#org.post(`/duplicates/${step.do}-merge/${id}`) : null
      }
      case 'apply':
      case 'dismiss': {
        const id = this.#ids.get(step.proposal)
        return id ? this.#org.post(`/duplicates/shadow/${id}/${step.do}`) : null
      }
      case 'age':
      case 'propose':
        return null
    }
  }

  /**
   * Reads the notes or tasks: the record that each shows, by text.
   * @param about the name of a record; by default all
   */
  async remarks(kind: 'note' | 'task', about?: string): Promise<Record<string, string>> {
    const filter = about === undefined ? '' : `&record_id=${this.#ids.get(about)}`
    const { body } = await this.#org.get(`/${kind}s?limit=100${filter}`)
    return Object.fromEntries(
      (body.data as Fields[]).map(({ text, title, record_id }) => [
        (kind === 'note' ? text : title) as string,
        this.#names.get(record_id as string) as string,
      ]),
    )
  }

  undo(name: string, dryRun: boolean): Promise<Answer> {
    return this.#org.post(`/duplicates/undo-merge/${this.#ids.get(name)}`, { dry_run: dryRun })
  }

  async age(merge: string): Promise<void> {
    await this.#client.query(
      `update merge set merged_at = merged_at - interval '40 days' where org_id = $1 and merge_id = $2`,
      [this.#org.orgId, this.#ids.get(merge)],
    )
  }

  async propose({ entity, survivor, loser, name }: Extract<OrgStep, { do: 'propose' }>): Promise<void> {
    const id = v7()
    await this.#client.query(
      `insert into merge (org_id, merge_id, merge_group_id, entity, status, survivor_id, loser_id, would_apply, method)
       values ($1, $2, $2, $3, 'shadow', $4, $5, false, 'auto')`,
      [this.#org.orgId, id, entity, this.#ids.get(survivor), this.#ids.get(loser)],
    )
    this.know(name, id)
  }

  withNames(record: Fields): Fields {
    const named = (_key: string, value: unknown) => this.#names.get(value as string) ?? value
    return JSON.parse(JSON.stringify(record), named) as Fields
  }

  #item(item: NewRecord): Fields {
    const fields = this.#withIds(item.fields)
    return item.do === 'upsert' ? { match_on: item.matchOn, ...fields } : fields
  }

  async #reason(label: string): Promise<string> {
    if (!this.#ids.has(label)) {
      const { body } = await this.#org.post('/deals/close-reasons', { label: `Because of ${label}` })
      this.know(label, body.data.close_reason_id)
    }
    return this.#ids.get(label)!
  }

  #merge(step: Extract<OrgStep, { do: 'merge' }>): Promise<Answer> | null {
    const ids = [step.survivor, ...step.losers].map((name) => this.#ids.get(name))
    if (ids.includes(undefined)) return null
    const [survivor_id, ...loser_ids] = ids
    const field_choices = Object.fromEntries(
      Object.entries(step.choices).map(([field, name]) => [field, this.#ids.get(name)]),
    )
    return this.#org.post('/duplicates/merge', {
      ...{ entity_type: step.entity, survivor_id, loser_ids, field_choices },
      ...{ force: step.force, dry_run: step.dry },
    })
  }

  #withIds(fields: Fields): Fields {
    const idOf = (name: unknown) => this.#ids.get(name as string) ?? name
    const given = { ...fields }
    if (given.company_id) given.company_id = idOf(given.company_id)
    if (given.contact_ids) given.contact_ids = (given.contact_ids as string[]).map(idOf)
    return given
  }
}
