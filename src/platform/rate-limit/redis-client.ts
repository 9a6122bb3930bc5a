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

/** What take.lua answers. */
export type RingReply = [waitUs: number, remaining: number, resetAfterUs: number, nowUs: number]

const lua = readFileSync(new URL('take.lua', import.meta.url), 'utf8')

/**
 * A client that connects when it is told to, and then again and again; what it cannot send now fails at once.
 * @param address as `readRedisAddress` takes it
 * @param patienceMs how long connecting may take, and a server that is owed an answer may be silent
 */
export async function createRedisClient(address: string, patienceMs: number): Promise<Redis> {
  // Loaded only where there is a Redis: it takes 60 ms and 20 MB.
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
