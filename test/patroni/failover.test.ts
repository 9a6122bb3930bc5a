import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp } from '../support/processes.ts'
import { audit } from './audit.ts'
import { PatroniCluster } from './cluster.ts'
import { type FaultName, inject, rounds } from './faults.ts'
import { programsOrSkip } from './programs.ts'
import { Servers } from './servers.ts'

/** The longest pause of writes that the median of a fault may have. The last two end after the ttl of 20 s. */
const targetsMs: Record<FaultName, number> = {
  ...{ 'crash of PostgreSQL': 5_000, switchover: 5_000, 'crash of both': 5_000 },
  ...{ freeze: 40_000, 'lost machine': 40_000 },
}
/** A few rounds on a busy machine measure nothing. */
const factor = rounds.length < 25 ? 4 : 1
const limits = Object.entries(targetsMs)
  .filter(([fault]) => rounds.includes(fault as FaultName))
  .map(([fault, targetMs]) => [fault, targetMs * factor] as const)

const patience = { timeout: 110_000, interval: 20 }
const programs = programsOrSkip()

type Round = { fault: FaultName; proxy: number; hosts: number; seconds: number; lines: number }

describe.runIf(programs)('two nodes with Patroni behind HAProxy, as in docs/operating/patroni.md', () => {
  let cluster: PatroniCluster
  let servers: Servers
  const done: Round[] = []

  beforeAll(async () => {
    cluster = await PatroniCluster.create(programs!)
    servers = await Servers.start(cluster)
    servers.load.start()
  }, 300_000)

  afterAll(async () => {
    await servers?.stop()
    await cluster?.remove()
    await cleanUp()
  })

  async function waitForMoreWrites(): Promise<void> {
    const before = servers.load.counts()
    const areMore = () => servers.load.counts().every((count, way) => count >= before[way]! + 20)
    await expect.poll(areMore, patience).toBe(true)
  }

  async function runRound(fault: FaultName): Promise<Round> {
    await waitForMoreWrites()
    const before = servers.lines()
    const startedAt = performance.now()
    const repair = await inject(fault, cluster)
    await waitForMoreWrites()
    await repair()
    await cluster.waitUntilSynchronous()
    await waitForMoreWrites()
    return {
      fault,
      proxy: servers.load.longestPause('proxy', startedAt),
      hosts: servers.load.longestPause('hosts', startedAt),
      seconds: (performance.now() - startedAt) / 1_000,
      lines: Math.max(...servers.lines().map((lines, index) => lines - before[index]!)),
    }
  }

  test('doctor names the synchronous replication', async () => {
    for (const findings of await servers.doctor())
      expect(findings).toMatchObject({ replication: 'synchronous' })
  })

  test.each(rounds.map((fault, round) => [round + 1, fault] as const))(
    'in round %i, writes continue after a %s',
    { timeout: 400_000 },
    async (_, fault) => {
      const round = await runRound(fault)
      done.push(round)
      console.log(described(round))
    },
  )

  test('the log of each server has about one line a second', () => {
    for (const { fault, lines, seconds } of done) expect(lines, fault).toBeLessThan(2 * seconds + 10)
  })

  test.each(limits)('after a %s, writes pause for at most %i ms', (fault, limitMs) => {
    const ofFault = done.filter((round) => round.fault === fault)
    expect(median(ofFault.map(({ proxy }) => proxy))).toBeLessThan(limitMs)
    expect(median(ofFault.map(({ hosts }) => hosts))).toBeLessThan(limitMs)
  })

  test('no acknowledged write is lost or doubled, and no refused write is stored', async () => {
    await servers.load.stop()
    const found = await audit(servers.load.creations, cluster)
    console.log(found)
    expect(servers.load.unexpected).toEqual([])
    expect(found).toMatchObject({ lost: 0, doubled: 0, refusedButStored: 0 })
    expect(found.keyed).toBeGreaterThan(100 * rounds.length)
    expect(found.plain).toBeGreaterThan(50 * rounds.length)
  })
})

const shown = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const described = ({ fault, proxy, hosts, seconds, lines }: Round) =>
  `${fault}: no write for ${shown(proxy)} through HAProxy, ${shown(hosts)} with both hosts; ` +
  `standby in sync again after ${seconds.toFixed(0)} s; at most ${lines} lines of a log`

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]!
}
