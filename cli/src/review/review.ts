import { ApiError, type Crosswalk, type Merge } from '../../../sdk/src/main.ts'
import type { Context } from '../context.ts'
import { visible } from '../output/visible.ts'
import { Keys } from '../terminal/keypress.ts'
import { reviewLines } from './screen.ts'

export type ReviewCounts = { merged: number; dismissed: number; skipped: number }

const paths = { contact: 'contacts', company: 'companies', deal: 'deals' } as const

/** A decision that can be undone. `at`: the number of its proposal. */
type Decision =
  | { kind: 'merged' | 'dismissed'; at: number; mergeId: string }
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
    await this.#act(key, proposal, at)
    return at + 1
  }

  async #act(key: string, { merge_id: mergeId }: Merge, at: number): Promise<void> {
    const { style } = this.#context
    const { proposals } = this.#client.duplicates
    if (key === 's') this.#decisions.push({ kind: 'skipped', at })
    else
      await this.#attempt(async () => {
        // An applied proposal is a merge with another id.
        const made = key === 'd' ? await proposals.dismiss(mergeId) : await proposals.apply(mergeId)
        this.#decisions.push({ kind: key === 'd' ? 'dismissed' : 'merged', at, mergeId: made.merge_id })
        await this.#context.say(
          key === 'd' ? style.bold('Dismissed: they stay two records.') : style.green('Merged.'),
        )
      })
  }

  async #undo(): Promise<number> {
    const last = this.#decisions.pop()!
    const { merges, proposals } = this.#client.duplicates
    let next = last.at
    await this.#attempt(async () => {
      if (last.kind === 'merged') {
        next = last.at + 1
        await merges.undo(last.mergeId)
        await this.#context.say('Undone: they are two records again. The engine does not propose them again.')
        return
      }
      if (last.kind === 'dismissed') await proposals.reopen(last.mergeId)
      await this.#context.say('Undone.')
    })
    return next
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
