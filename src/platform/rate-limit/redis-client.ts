import { readFileSync } from 'node:fs'
import type { Redis, Result } from 'ioredis'
import { readRedisAddress } from './redis-address.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Runs the script take.lua, which counts a request. */
    takeFromRing(
      key: string,
      perSecond: number | '',
      perMinute: number | '',
      nowUs: number | '',
    ): Result<RingReply, Context>
  }
}

export type RingReply = [waitUs: number, remaining: number, resetAfterUs: number, nowUs: number]

const lua = readFileSync(new URL('take.lua', import.meta.url), 'utf8')

/**
 * Connects when first needed, and reconnects. A command that cannot be sent at once fails.
 * @param address in the form that `readRedisAddress` reads
 * @param patienceMs the time limit for connecting, and for an answer
 */
export async function createRedisClient(address: string, patienceMs: number): Promise<Redis> {
  // Load it only if Redis is used: it needs 60 ms and 20 MB.
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
    // Reconnect: after a failover, the same name leads to another server.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    scripts: { takeFromRing: { lua, numberOfKeys: 1 } },
  })
}
