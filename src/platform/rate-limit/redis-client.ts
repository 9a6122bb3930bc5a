import { readFileSync } from 'node:fs'
import type { Redis, Result } from 'ioredis'
import { readRedisAddress } from './redis-address.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** take.lua. */
    takeFromRing(
      key: string,
      perSecond: number | '',
      perMinute: number | '',
      nowUs: number | '',
    ): Result<RingReply, Context>
  }
}

/** The reply of take.lua. */
export type RingReply = [waitUs: number, remaining: number, resetAfterUs: number, nowUs: number]

const lua = readFileSync(new URL('take.lua', import.meta.url), 'utf8')

/**
 * A client that connects on demand and then reconnects by itself. A command that it cannot send at once fails.
 * @param address in the form that `readRedisAddress` reads
 * @param patienceMs the time limit for connecting, and for a server that owes an answer
 */
export async function createRedisClient(address: string, patienceMs: number): Promise<Redis> {
  // Loaded only with a Redis: it needs 60 ms and 20 MB.
  const { Redis } = await import('ioredis')
  return new Redis({
    ...readRedisAddress(address),
    connectionName: 'crosswalk',
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: patienceMs,
    socketTimeout: patienceMs,
    retryStrategy: (times) => Math.min(times * 100, 1_000),
    // After a failover the same name leads to another server.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    scripts: { takeFromRing: { lua, numberOfKeys: 1 } },
  })
}
