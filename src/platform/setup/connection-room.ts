import { connectClient, connectionConfig } from '../db/address.ts'
import { oneRow } from './one-row.ts'

/** The most connections that a process uses: 16 for requests, the others for jobs and notifications. */
export const connectionsOfProcess = 23

/** How many connections PostgreSQL allows for roles without privileges. @param url of PostgreSQL itself */
export async function connectionRoom(url: string): Promise<number> {
  const client = await connectClient({ ...connectionConfig(url), connectionTimeoutMillis: 10_000 })
  try {
    // PostgreSQL 15 has no reserved_connections.
    const { room } = await oneRow<{ room: number }>(
      client,
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int as room`,
    )
    return room
  } finally {
    await client.end().catch(() => {})
  }
}
