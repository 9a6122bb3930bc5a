import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { runAsOwner } from './database.ts'
import type { ProxyFault } from './unreliable-proxy.ts'

/** The faults of a client's first request. After each of them, the client must send the request again. */
export const firstRequestFaults: readonly ProxyFault[] = [
  'refuse 429',
  'refuse 503',
  'drop before',
  'drop after',
]

/** An event as a client sent it. */
export type StoredEvent = {
  type: string
  name: string | null
  user_key: string | null
  properties: object
}

/** The events of an organization, sorted by type. */
export function storedEvents(databaseUrl: string, orgId: string): Promise<StoredEvent[]> {
  return runAsOwner<StoredEvent>(
    databaseUrl,
    `select type, name, user_key, properties from web_event where org_id = $1
      order by array_position('{identify,track,page,screen,group,alias}', type), properties`,
    [orgId],
  )
}

/** A write key of a new organization. */
export async function newWriteKey(
  app: TestApp,
  body: object = {},
): Promise<{ orgId: string; key: string; writeKeyId: string }> {
  const org = await app.newOrg()
  const { data } = (await org.post('/write-keys', { name: 'Site', ...body })).body
  return { orgId: org.orgId, key: data.key, writeKeyId: data.write_key_id }
}

/** Sends events with a write key, as a client does, and requires that they are durable. */
export async function sendBatch(
  app: TestApp,
  writeKey: string,
  events: readonly object[],
  headers: Record<string, string> = {},
): Promise<void> {
  const batch = events.map((event) => ({ type: 'track', anonymousId: 'a1', ...event }))
  const answer = await app.stranger.post('/v1/batch', { writeKey, batch }, { prefix: '', headers })
  expect(answer.status).toBe(200)
}

/** Uses up the burst of a write key that may send one event a second: its next event gets 429 for 2 s. */
export async function useUpBurst(app: TestApp, key: string): Promise<void> {
  const batch = Array.from({ length: 11 }, () => ({ type: 'page', anonymousId: 'other' }))
  const answer = await app.stranger.post('/v1/batch', { writeKey: key, batch }, { prefix: '' })
  expect(answer.status).toBe(200)
}

/** The numbers of accepted events, duplicates, events of bots, and dropped events by reason. */
export async function usageOf(app: TestApp, orgId: string): Promise<Record<string, number>> {
  const rows = await runAsOwner<{ outcome: string; n: number }>(
    app.databaseUrl,
    `select outcome, sum(n)::int as n from (
       select org_id, outcome, n from web_event_count union all select org_id, outcome, n from web_event_delta
     ) as counted where org_id = $1 group by outcome`,
    [orgId],
  )
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]))
}
