import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import {
  ask,
  childrenOf,
  cleanUp,
  homeOf,
  isAlive,
  logged,
  newDataDir,
  parentOf,
  postmaster,
  readyDataDir,
  removeTestFolder,
  session,
  spawnOther,
  start,
  startOther,
  waitUntil,
} from './testing.ts'

afterEach(cleanUp)
afterAll(removeTestFolder)

describe('when Node is killed', () => {
  test('when Node is killed, PostgreSQL ends too', async () => {
    const dataDir = await readyDataDir()
    const other = await startOther(dataDir, 'server')
    const pid = postmaster(dataDir)
    await other.kill()
    await waitUntil('PostgreSQL is gone', () => !isAlive(pid))
    expect(await ask((await start(dataDir, 'server')).url, 'select 1')).toBe(1)
  })

  test('when Node is killed together with its shells, the next server ends the orphaned PostgreSQL and starts its own', async () => {
    const dataDir = await readyDataDir()
    const orphan = await leaveOrphan(dataDir)
    const server = await start(dataDir, 'server')
    expect(logged[0]).toMatch(/^warn: a Crosswalk that was killed left its PostgreSQL running/)
    expect(isAlive(orphan)).toBe(false)
    expect(await ask(server.url, 'select one from kept')).toBe(1)
  })

  test('when Node is killed together with its shells, a guest uses the orphaned PostgreSQL', async () => {
    const dataDir = await readyDataDir()
    const orphan = await leaveOrphan(dataDir)
    const guest = await start(dataDir, 'guest')
    expect(guest.adopted).toBe(true)
    expect(await ask(guest.url, 'select one from kept')).toBe(1)
    await guest.stop('smart')
    expect(isAlive(orphan)).toBe(true)
    await (await start(dataDir, 'server')).stop('fast')
    expect(isAlive(orphan)).toBe(false)
  })

  test('when Node is killed during initdb, the next start creates a new database', async () => {
    const dataDir = newDataDir()
    const other = spawnOther(dataDir, 'server')
    const drafts = () => fs.readdirSync(dataDir).filter((name) => name.includes('.tmp-'))
    await waitUntil('initdb works', () => {
      const [draft] = fs.existsSync(dataDir) ? drafts() : []
      return !!draft && fs.existsSync(join(dataDir, draft, 'cluster/base'))
    })
    other.kill('SIGKILL')
    await waitUntil('it is dead', () => !isAlive(other.pid!))
    expect(drafts()).toHaveLength(1)
    expect(await ask((await start(dataDir, 'server')).url, 'select 1')).toBe(1)
  })
})

describe('when PostgreSQL is killed', () => {
  test('when PostgreSQL is killed, it is started again at the same address, still for one server only', async () => {
    const dataDir = await readyDataDir()
    const { url } = await start(dataDir, 'server')
    const pid = postmaster(dataDir)
    process.kill(pid, 'SIGKILL')
    await waitUntil('it answers again', () => answersAnew(url, dataDir, pid))
    expect(logged).toContain('error: PostgreSQL ended unexpectedly; starting it again')
    await waitUntil('its owner is back', () => isOwned(url))
    expect((await startOther(dataDir, 'server')).answer.error).toBe('DataDirInUse')
  })

  test('when PostgreSQL is killed while one of its backends runs, it is started again once that backend has ended', async () => {
    const dataDir = await readyDataDir()
    const { url } = await start(dataDir, 'server')
    const busy = await session(url)
    const backend = Number((await busy.query('select pg_backend_pid() as pid')).rows[0].pid)
    busy.query('do $$ begin loop end loop; end $$').catch(() => {})
    const state = `select state from pg_stat_activity where pid = ${backend}`
    await waitUntil('the backend is at work', async () => (await ask(url, state)) === 'active')
    const pid = postmaster(dataDir)
    process.kill(pid, 'SIGKILL')
    await waitUntil('it waits', () => logged.includes('warn: PostgreSQL has not started yet; retrying'))
    process.kill(backend, 'SIGKILL')
    await waitUntil('it answers again', () => answersAnew(url, dataDir, pid))
  })

  test('when PostgreSQL is killed except for its postmaster, the data folder keeps its owner', async () => {
    const dataDir = await readyDataDir()
    const { url } = await start(dataDir, 'server')
    const backend = Number(
      await ask(url, 'select pid from pg_stat_activity where datname is not null limit 1'),
    )
    process.kill(backend, 'SIGKILL')
    await waitUntil('the old session is over', () => !isAlive(backend))
    await waitUntil('its owner is back', () => isOwned(url))
  })

  test('when PostgreSQL is killed with SIGTERM and has refused new sessions, it is started again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const dataDir = await readyDataDir()
    const { url } = await start(dataDir, 'server')
    const pid = postmaster(dataDir)
    process.kill(pid, 'SIGTERM')
    await waitUntil('it takes no more sessions', () =>
      ask(url, 'select 1').then(
        () => false,
        (error) => error.code === '57P03',
      ),
    )
    vi.advanceTimersByTime(10_000)
    vi.useRealTimers()
    await waitUntil('it answers again', () => answersAnew(url, dataDir, pid))
  })

  test('when PostgreSQL is killed during a stop, it is not started again', async () => {
    const dataDir = await readyDataDir()
    const server = await start(dataDir, 'server')
    process.kill(postmaster(dataDir), 'SIGKILL')
    await server.stop('fast')
    await expect(ask(server.url, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  })
})

test.each(['server', 'guest'] as const)(
  'a PostgreSQL that does not finish its shutdown is ended after 20 s by the next %s',
  async (role) => {
    const dataDir = await readyDataDir()
    const orphan = await leaveOrphan(dataDir)
    const passing = await start(dataDir, 'guest')
    await session(passing.url) // PostgreSQL waits for it without end, because of the SIGTERM
    await passing.stop('fast')
    process.kill(orphan, 'SIGTERM')
    vi.useFakeTimers({ toFake: ['Date'] })
    const next = start(dataDir, role)
    await waitUntil('it waits', () => logged.some((line) => line.includes('waiting for it')))
    expect(isAlive(orphan)).toBe(true)
    vi.setSystemTime(Date.now() + 21_000)
    const { url } = await next.finally(() => vi.useRealTimers())
    expect(await ask(url, 'select one from kept')).toBe(1)
    expect(isAlive(orphan)).toBe(false)
    expect(logged).toContainEqual(expect.stringMatching(/^warn: .*does not finish its shutdown; ending it/))
  },
)

test('a start that waits for a hung PostgreSQL says so within seconds, although the hung one does not answer', async () => {
  const dataDir = await readyDataDir()
  const orphan = await leaveOrphan(dataDir)
  process.kill(orphan, 'SIGSTOP')
  const waiting = start(dataDir, 'server')
  try {
    await waitUntil('it says for which one it waits', () =>
      logged.some((line) => line.startsWith('info: an earlier PostgreSQL of this data folder has not ended')),
    )
  } finally {
    process.kill(orphan, 'SIGCONT')
  }
  expect(await ask((await waiting).url, 'select 1')).toBe(1)
})

test('the error of a lost connection gives the reason that PostgreSQL logged since its start', async () => {
  const dataDir = await readyDataDir()
  const log = join(homeOf(dataDir), 'postgres.log')
  fs.appendFileSync(log, 'PANIC:  could not write to file "old": No space left on device\n')
  const server = await start(dataDir, 'server')
  const lost = new Error('Connection terminated unexpectedly')
  const reason = () => (server.explain(lost) as Error).message
  expect(reason()).toBe(`The embedded PostgreSQL ended (see ${log}).`)
  fs.appendFileSync(log, '2026-11-29 UTC [1] PANIC:  could not locate a valid checkpoint record\n')
  expect(reason()).toBe(
    `The embedded PostgreSQL ended: could not locate a valid checkpoint record (see ${log}).`,
  )
  fs.appendFileSync(log, '2026-11-29 UTC [1] PANIC:  could not write to file "x": No space left on device\n')
  expect(reason()).toMatch(`The disk of ${dataDir} is full: free some space`)
  const other = new Error('another error')
  expect(server.explain(other)).toBe(other)
})

test('when only its shell is killed, PostgreSQL is started again under a new shell', async () => {
  const dataDir = await readyDataDir()
  const { url } = await start(dataDir, 'server')
  const pid = postmaster(dataDir)
  process.kill(parentOf(pid), 'SIGKILL')
  await waitUntil('it answers again', () => answersAnew(url, dataDir, pid))
  expect(isAlive(pid)).toBe(false)
  expect(parentOf(parentOf(postmaster(dataDir)))).toBe(process.pid)
})

describe('a stale pid file', () => {
  test.each(['', '\n'])(
    'a stale pid file without a pid (%j) does not prevent the start of PostgreSQL',
    async (content) => {
      const dataDir = await readyDataDir()
      fs.writeFileSync(join(homeOf(dataDir), 'cluster/postmaster.pid'), content)
      expect(await ask((await start(dataDir, 'server')).url, 'select 1')).toBe(1)
    },
  )

  test('a stale pid file with the pid of another program neither prevents the start nor ends that program', async () => {
    const dataDir = await readyDataDir()
    const { cluster, owner } = clusterOf(dataDir)
    const bystander = spawn('sleep', ['60'], { ...owner, cwd: '/', stdio: 'ignore' })
    try {
      const stale = [bystander.pid, cluster, 1_700_000_000, 5432, '/nowhere', '', '  1 2', 'ready   ', '']
      fs.writeFileSync(join(cluster, 'postmaster.pid'), stale.join('\n'))
      expect(await ask((await start(dataDir, 'server')).url, 'select 1')).toBe(1)
      expect(isAlive(bystander.pid!)).toBe(true)
    } finally {
      bystander.kill()
    }
  })
})

/**
 * Kills a server and both of its shells with SIGKILL. Returns the process id of its postmaster, which
 * survives.
 */
async function leaveOrphan(dataDir: string): Promise<number> {
  const other = await startOther(dataDir, 'server')
  await ask(other.answer.url!, 'drop table if exists kept')
  await ask(other.answer.url!, 'create table kept as select 1 as one')
  const pid = postmaster(dataDir)
  const shell = parentOf(pid)
  const reader = childrenOf(shell).find((child) => child !== pid)!
  // No process may notice the end of another process before its own kill.
  process.kill(reader, 'SIGKILL')
  await other.kill()
  process.kill(shell, 'SIGKILL')
  expect(isAlive(pid)).toBe(true)
  return pid
}

async function answersAnew(url: string, dataDir: string, before: number): Promise<boolean> {
  const answer = await ask(url, 'select 1').catch(() => undefined)
  return answer === 1 && postmaster(dataDir) !== before
}

async function isOwned(url: string): Promise<boolean> {
  const owner = `select count(*)::int from pg_locks where locktype = 'advisory' and objid = 1`
  return (await ask(url, owner).catch(() => 0)) === 1
}

function clusterOf(dataDir: string) {
  const cluster = join(homeOf(dataDir), 'cluster')
  const { uid, gid } = fs.statSync(cluster)
  return { cluster, owner: process.getuid?.() === 0 ? { uid, gid } : {} }
}
