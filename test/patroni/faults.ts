import { setTimeout as delay } from 'node:timers/promises'
import type { PatroniCluster } from './cluster.ts'

export type FaultName = 'crash of PostgreSQL' | 'crash of both' | 'switchover' | 'freeze' | 'lost machine'

/** The first five rounds have different faults. Later rounds repeat the faults that take 10 s, not those that take 40 s. */
const order: FaultName[] = [
  ...(['crash of PostgreSQL', 'crash of both', 'switchover', 'freeze', 'lost machine'] as const),
  ...(['crash of PostgreSQL', 'crash of both', 'switchover'] as const),
  ...(['crash of PostgreSQL', 'crash of both', 'switchover'] as const),
  'crash of PostgreSQL',
]

export const rounds: FaultName[] = Array.from(
  { length: Number(process.env.ROUNDS ?? 4) },
  (_, round) => order[round % order.length]!,
)

/** After this time, systemd starts a program that was killed (RestartSec). */
const restartMs = 100

/** Harms the primary. Returns what lets the old primary work again, after writes succeed on the new one. */
export async function inject(fault: FaultName, cluster: PatroniCluster): Promise<() => Promise<void>> {
  const node = await cluster.primary()
  switch (fault) {
    case 'crash of PostgreSQL':
      node.killPostgres()
      return async () => {}
    case 'crash of both':
      await node.kill()
      await delay(restartMs)
      await node.start()
      return async () => {}
    case 'switchover':
      await cluster.switchOver()
      return async () => {}
    case 'freeze':
      node.freeze()
      return async () => node.thaw()
    case 'lost machine':
      await node.kill()
      return () => node.start()
  }
}
