import type { ShownRecord } from '../kinds.ts'

/** The last save of each record, while it runs. */
const running = new Map<string, Promise<unknown>>()

/** What this page saved, by the version that each save replaced. */
const saved = new Map<string, ShownRecord>()
const savedMax = 200

const keyOf = (id: string, version: number) => `${id} ${version}`

/** Runs a save once the earlier saves of this record have ended. */
export function inTurn<Result>(id: string, save: () => Promise<Result>): Promise<Result> {
  const turn = (running.get(id) ?? Promise.resolve()).then(save, save)
  running.set(id, turn)
  const end = () => {
    if (running.get(id) === turn) running.delete(id)
  }
  turn.then(end, end)
  return turn
}

/** Records that a save of this page, and no other change, made `after` of the record with this version. */
export function noteSaved(id: string, version: number, after: ShownRecord): void {
  saved.set(keyOf(id, version), after)
  const [oldest] = saved.keys()
  if (saved.size > savedMax && oldest !== undefined) saved.delete(oldest)
}

/** The record after the saves of this page that directly followed its version. */
export function afterOwnSaves(id: string, record: ShownRecord): ShownRecord {
  const next = saved.get(keyOf(id, record.version))
  return next && next.version > record.version ? afterOwnSaves(id, next) : record
}
