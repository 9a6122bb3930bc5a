import type { SentStatement } from './capture.ts'

/** The statements that the bare handler runs. `names` are the texts that identified objects in the captured request. */
export type Program = { statements: SentStatement[]; names: string[]; fresh: string[] }

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const inRequest = new RegExp(`${uuid.source}|(?<=/)\\d+|[\\w.-]+@[\\w.-]+`, 'g')

/** The texts in a request that identify objects (ids and e-mail addresses), in order. */
export const namesIn = (path: string, body: string): string[] => `${path} ${body}`.match(inRequest) ?? []

/** The ids that a server created during a request that arrived at `sinceMs`. */
export function freshIds(statements: readonly SentStatement[], sinceMs: number): string[] {
  const ids = JSON.stringify(statements).match(uuid) ?? []
  return [...new Set(ids)].filter((id) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) >= sinceMs)
}
