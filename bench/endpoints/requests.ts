import type { Case } from './cases.ts'
import type { Pools } from './subject.ts'

/** Adds the object of a request to the pool for later cases. */
export function addToPool(
  { makes, gives }: Case,
  asked: CaseRequest | null,
  pools: Pools,
  answer: string,
): void {
  if (gives && asked?.id) pools.put(gives, asked.id)
  if (!makes) return
  const [pool, member] = makes
  const id = new RegExp(`"${member}":"?([\\w-]+)`).exec(answer)?.[1]
  if (id) pools.put(pool, id)
}

export type CaseRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  id: string | undefined
}

/** The next request of a case; null if the case has no object left. */
export function requestOf(
  each: Case,
  pools: Pools,
  keys: { token: string; agencyToken: string },
): CaseRequest | null {
  const [method, path] = each.endpoint.split(' ') as [string, string]
  const id = each.id?.(pools)
  const body = each.body?.(pools)
  if (id === null || body === null) return null
  return {
    ...{ method, id, body: body ? JSON.stringify(body) : '' },
    path: `/api/v1${path.replace(/\{\w+\}/, id ?? '')}${each.query?.(pools) ?? ''}`,
    headers: {
      authorization: `Bearer ${each.agency ? keys.agencyToken : keys.token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...each.headers?.(),
    },
  }
}
