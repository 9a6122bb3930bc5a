import { ApiError, type Crosswalk, type Merge } from '../../../sdk/src/main.ts'
import type { Context } from '../context.ts'
import { visible } from '../output/visible.ts'
import { Keys } from '../terminal/keypress.ts'
import { reviewLines } from './screen.ts'

export type ReviewCounts = { merged: number; dismissed: number; skipped: number }

const paths = { contact: 'contacts', company: 'companies', deal: 'deals' } as const

/** A decision that can be undone. A dismissal is sent with the next decision, because nothing undoes it. */
type Decision =
  | { kind: 'merged'; at: number; mergeId: string }
  | { kind: 'dismissed'; at: number; send: () => Promise<unknown> }
  | { kind: 'skipped'; at: number }

/** Shows proposals one by one, and does what the person decides. */
export class Review {
  readonly #context: Context
  readonly #client: Crosswalk
  readonly #proposals: readonly Merge[]
  readonly #decisions: Decision[] = []

  constructor(context: Context, client: Crosswalk, proposals: readonly Merge[]) {
    this.#context = context
    this.#client = client
    this.#proposals = proposals
  }

  async run(): Promise<ReviewCounts> {
    const keys = new Keys(this.#context.io)
    try {
      let at = 0
      while (at < this.#proposals.length) {
        const next = await this.#decide(this.#proposals[at]!, at, keys)
        if (next === null) break
        at = next
      }
    } finally {
      keys.close()
      await this.#sendDismissal()
    }
    const count = (kind: Decision['kind']) => this.#decisions.filter((one) => one.kind === kind).length
    return { merged: count('merged'), dismissed: count('dismissed'), skipped: count('skipped') }
  }

  /** Returns the number of the next proposal; null: the person quits. */
  async #decide(proposal: Merge, at: number, keys: Keys): Promise<number | null> {
    const { style } = this.#context
    const records = await this.#records(proposal)
    if (records === null) return at + 1
    const place = `${at + 1} of ${this.#proposals.length}`
    const lines = ['', ...reviewLines(proposal, records, place, style), '']
    for (const line of lines) await this.#context.say(line)
    const canUndo = this.#decisions.length > 0
    await this.#context.say(`m merge   d dismiss   s skip${canUndo ? '   u undo the last one' : ''}   q quit`)
    const key = await keys.next(canUndo ? 'mdsuq' : 'mdsq')
    if (key === 'q') return null
    if (key === 'u') return this.#undo()
    await this.#sendDismissal()
    await this.#act(key, proposal, at)
    return at + 1
  }

  async #act(key: string, { merge_id }: Merge, at: number): Promise<void> {
    const { style } = this.#context
    if (key === 's') this.#decisions.push({ kind: 'skipped', at })
    else if (key === 'd') {
      const send = () => this.#client.duplicates.proposals.dismiss(merge_id)
      this.#decisions.push({ kind: 'dismissed', at, send })
      await this.#context.say(style.bold('Dismissed: they stay two records.'))
    } else
      await this.#attempt(async () => {
        const merge = await this.#client.duplicates.proposals.apply(merge_id)
        this.#decisions.push({ kind: 'merged', at, mergeId: merge.merge_id })
        await this.#context.say(style.green('Merged.'))
      })
  }

  async #undo(): Promise<number> {
    const last = this.#decisions.pop()!
    if (last.kind === 'merged') {
      await this.#attempt(async () => {
        await this.#client.duplicates.merges.undo(last.mergeId)
        await this.#context.say('Undone: they are two records again. The engine does not propose them again.')
      })
      return last.at + 1
    }
    await this.#context.say('Undone.')
    return last.at
  }

  /** Sends the last dismissal, if it is not sent yet. */
  async #sendDismissal(): Promise<void> {
    const last = this.#decisions.at(-1)
    if (last?.kind !== 'dismissed') return
    const { send } = last
    last.send = async () => {}
    await this.#attempt(send)
  }

  /** Both records; null if one of them is gone. */
  async #records({ entity_type, survivor_id, loser_id }: Merge): Promise<[object, object] | null> {
    const { signal } = this.#context.io
    const get = (id: string) => this.#client[paths[entity_type]].get(id, {}, { signal })
    let found: [object, object] | null = null
    await this.#attempt(async () => {
      found = await Promise.all([get(survivor_id), get(loser_id)])
    })
    return found
  }

  /** Shows a refusal of the server, such as of a record that changed meanwhile, and continues. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500) throw error
      await this.#context.say(this.#context.style.red(visible(error.detail)))
    }
  }
}
