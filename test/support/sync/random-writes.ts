import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Answer, TestOrg } from '../app.ts'

const anyOf = <Item>(items: readonly Item[]): Item | undefined =>
  items[Math.floor(Math.random() * items.length)]

type Action = () => Promise<Answer | undefined>

/** Concurrent writers that change random contacts of an organization. */
export class RandomWrites {
  readonly #org: TestOrg
  readonly #contacts: string[] = []
  readonly #merges: string[] = []
  readonly done: Record<string, number> = {}

  constructor(org: TestOrg) {
    this.#org = org
  }

  async create(count: number): Promise<void> {
    const items = Array.from({ length: count }, (_, n) => ({ first_name: 'Ada', last_name: `Number ${n}` }))
    const { status, text, body } = await this.#org.post('/contacts/batch', { items })
    expect(status, text).toBe(200)
    for (const result of body.data) this.#contacts.push(result.contact_id)
  }

  /** Runs `writers` for `seconds`, each with up to 4 writes a second. */
  async run(writers: number, seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1000
    const write = async () => {
      while (performance.now() < end) {
        await this.#writeOne()
        await pause(250)
      }
    }
    await Promise.all(Array.from({ length: writers }, write))
  }

  async #writeOne(): Promise<void> {
    const [kind, action] = anyOf(this.#weighted) ?? ['create', () => this.#createOne()]
    const answer = await action()
    // Skip an action that needs a merge or a second contact, if there is none.
    if (!answer) return
    // Two writers can choose the same contact. The second one may find it merged, archived or erased.
    expect([200, 201, 204, 404, 409], `${kind}: ${answer.text}`).toContain(answer.status)
    if (answer.status < 300) this.done[kind] = (this.done[kind] ?? 0) + 1
  }

  readonly #actions: Record<string, [weight: number, Action]> = {
    create: [3, () => this.#createOne()],
    change: [8, () => this.#onContact((path) => this.#org.patch(path, { city: `City ${Math.random()}` }))],
    archive: [2, () => this.#onContact((path) => this.#org.delete(path))],
    restore: [2, () => this.#onContact((path) => this.#org.post(`${path}/restore`))],
    erase: [1, () => this.#onContact((path) => this.#org.post(`${path}/erase`))],
    merge: [5, () => this.#merge()],
    undo: [2, () => this.#onMerge('undo')],
    redo: [2, () => this.#onMerge('redo')],
  }

  readonly #weighted = Object.entries(this.#actions).flatMap(([kind, [weight, action]]) =>
    Array.from({ length: weight }, () => [kind, action] as const),
  )

  async #createOne(): Promise<Answer> {
    const answer = await this.#org.post('/contacts', { first_name: 'New' })
    if (answer.status === 201) this.#contacts.push(answer.body.data.contact_id)
    return answer
  }

  async #onContact(send: (path: string) => Promise<Answer>): Promise<Answer | undefined> {
    const id = anyOf(this.#contacts)
    return id === undefined ? undefined : send(`/contacts/${id}`)
  }

  async #merge(): Promise<Answer | undefined> {
    const [survivor_id, loser] = [anyOf(this.#contacts), anyOf(this.#contacts)]
    if (survivor_id === loser) return undefined
    const answer = await this.#org.post('/duplicates/merge', {
      entity_type: 'contact',
      survivor_id,
      loser_ids: [loser],
    })
    if (answer.status === 200) for (const { merge_id } of answer.body.data.merges) this.#merges.push(merge_id)
    return answer
  }

  async #onMerge(what: 'undo' | 'redo'): Promise<Answer | undefined> {
    const id = anyOf(this.#merges)
    return id === undefined ? undefined : this.#org.post(`/duplicates/${what}-merge/${id}`)
  }
}
