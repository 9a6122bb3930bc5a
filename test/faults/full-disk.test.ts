import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { cleanUp, newDataDir } from '../support/processes.ts'
import { rounds } from './clients.ts'
import { expectNothingLost, startWithClients, waitForMoreWrites } from './installation.ts'

const disk = newDataDir()
mkdirSync(disk)
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
      rmSync(filler)
    }
    await waitForMoreWrites(clients)
    expectNothingLost(await end(), 'a full disk')
  },
)

function fill(path: string): string {
  const file = openSync(path, 'w')
  chmodSync(path, 0o600)
  const chunk = Buffer.alloc(65_536)
  try {
    for (;;) writeSync(file, chunk)
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    return path
  } finally {
    closeSync(file)
  }
}
