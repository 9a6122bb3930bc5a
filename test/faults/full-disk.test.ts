import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { cleanUp, newDataDir, startServer } from '../support/processes.ts'
import { rounds } from './clients.ts'
import { expectNothingLost, startWithClients, waitForMoreWrites } from './installation.ts'

const disk = newDataDir()
fs.mkdirSync(disk)
// The test fills a small file system. Creating it needs the right to mount.
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=711', 'tmpfs', disk]).status === 0
afterAll(async () => {
  if (mounted) spawnSync('umount', ['--lazy', disk])
  await cleanUp()
})

test.skipIf(mounted)('a full disk: SKIPPED, because this user may not mount a file system to fill', () => {})

test.runIf(mounted)(
  'a server on a full disk answers 503, writes nothing in part, and recovers when the disk has room',
  { timeout: 180_000 + rounds * 25_000 },
  async () => {
    const { clients, end } = await startWithClients(join(disk, 'data'))
    for (let round = 0; round < rounds; round++) {
      await waitForMoreWrites(clients)
      const filler = fill(join(disk, 'filler'))
      const refusedBefore = clients.refused
      await expect
        .poll(() => clients.refused, { ...patience, interval: 5 })
        .toBeGreaterThan(refusedBefore + 20)
      fs.rmSync(filler)
    }
    await waitForMoreWrites(clients)
    expectNothingLost(await end(), 'a full disk')
  },
)

test.runIf(mounted)('a first start on a full disk says that the disk is full', async () => {
  const env = { DATA_DIR: join(disk, 'first'), DEMO: '0' }
  const filler = fill(join(disk, 'filler'))
  // PostgreSQL and an empty database take about 110 MB, so the schema does not fit.
  fs.truncateSync(filler, fs.statSync(filler).size - 125 * 1024 * 1024)
  const { code, stderr } = await startServer(env).ended
  // PostgreSQL refuses a statement, or ends.
  const words = /^The disk of (PostgreSQL is full \(.+\)|\/\S+ is full): free some space/m
  expect([code, stderr]).toEqual([1, expect.stringMatching(words)])
  endPostgres(env.DATA_DIR)
  fs.rmSync(filler)
})

/** Ends a PostgreSQL that still runs, because it can hang in its shutdown after a full disk. */
function endPostgres(dataDir: string): void {
  const file = join(dataDir, 'postgres/cluster/postmaster.pid')
  const pid = fs.existsSync(file) ? Number.parseInt(fs.readFileSync(file, 'utf8'), 10) : 0
  if (pid > 0) process.kill(pid, 'SIGQUIT')
}

function fill(path: string): string {
  const file = fs.openSync(path, 'w')
  fs.chmodSync(path, 0o600)
  const chunk = Buffer.alloc(65_536)
  try {
    for (;;) fs.writeSync(file, chunk)
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    return path
  } finally {
    fs.closeSync(file)
  }
}
