import fs, { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { withLock } from '../../cli/src/config/lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'crosswalk-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { statSync } = fs

function replaceStatSync(by: typeof statSync): void {
  fs.statSync = by
  syncBuiltinESMExports()
}

/** Runs `work` after the next look at a file. */
function afterNextLook(work: () => void): void {
  const look = (...args: Parameters<typeof statSync>) => {
    const found = statSync(...args)
    replaceStatSync(statSync)
    work()
    return found
  }
  replaceStatSync(look as typeof statSync)
}

test('a command that removes the lock of a killed command does not remove the new lock of a third command', async () => {
  const lock = join(folder, 'lock')
  const hourAgo = Date.now() / 1000 - 3600
  writeFileSync(lock, '')
  utimesSync(lock, hourAgo, hourAgo)
  afterNextLook(() => {
    rmSync(lock)
    writeFileSync(lock, '')
  })
  let entered = false
  const done = withLock(lock, () => {
    entered = true
  })
  await delay(100)
  expect([entered, existsSync(lock)]).toEqual([false, true])
  rmSync(lock)
  await done
  expect([entered, existsSync(lock)]).toEqual([true, false])
})
