import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { roleNames } from '../../src/platform/db/roles.ts'
import { FeedReader } from '../support/feed/feed-reader.ts'
import { LogWriters } from '../support/feed/log-writers.ts'
import { freePort, freshKey, installedPostgres, OwnPostgres } from '../support/own-postgres.ts'
import { type Child, cleanUp, command, startServer } from '../support/processes.ts'
import { rounds } from './clients.ts'

afterAll(cleanUp)

const [installed] = installedPostgres()
const target = Number(process.env.FEED_EVENTS ?? (rounds > 1 ? 20_000 : 6_000))

test.runIf(installed)(
  'a reader of the feed gets each event once, and the events of an object in order, despite kills and a restored dump',
  { timeout: 300_000 + target * 10 },
  async () => {
    const databases = [await OwnPostgres.create(installed!), await OwnPostgres.create(installed!)] as const
    for (const each of databases) {
      onTestFinished(() => each.remove())
      await each.run('postgres', 'create database crosswalk')
    }
    const [first, second] = databases
    const key = freshKey().toString('base64')
    const port = String(await freePort())
    const envOf = (own: OwnPostgres) => ({
      ...{ DATABASE_URL: own.url('crosswalk'), ENCRYPTION_KEY: key, PORT: port },
      ...{ LOG_LEVEL: 'silent', DEMO: '0' },
    })
    let server: Child = startServer(envOf(first))
    await server.says(/is ready/)
    const created = await command('orgs create Acme --json', envOf(first))
    const { org_id: orgId, api_key_token: token } = JSON.parse(created.stdout)
    await command(`orgs limits ${orgId} --per-second none --per-minute none`, envOf(first))
    const restart = async (own: OwnPostgres) => {
      server.kill('SIGKILL')
      await server.ended
      server = startServer(envOf(own))
      await server.says(/is ready/)
    }

    const writers = new LogWriters(first.url('crosswalk'), orgId)
    const reader = new FeedReader(`http://127.0.0.1:${port}`, token)
    await reader.follow(() => true)
    let isOver = false
    const reading = reader.follow(() => isOver)
    const until = async (share: number) => {
      while (writers.committed < target * share) await delay(20)
    }
    writers.start(16)
    await until(0.15)
    await restart(first)
    await until(0.3)
    process.kill(first.pid, 'SIGKILL')
    await delay(200)
    await first.start()
    await until(0.5)
    await writers.stop()
    const dump = join(first.folder, 'log.dump')
    const bin = (name: string) => join(installed!.bin, name)
    execFileSync(bin('pg_dump'), ['--format=custom', `--file=${dump}`, first.url('crosswalk')])
    await second.run('postgres', ...roleNames.map((role) => `create role ${role}`))
    execFileSync(bin('pg_restore'), ['--no-owner', `--dbname=${second.url('crosswalk')}`, dump])
    await restart(second)
    writers.url = second.url('crosswalk')
    writers.start(16)
    await until(0.7)
    process.kill(second.pid, 'SIGKILL')
    await delay(200)
    await second.start()
    await until(0.85)
    await restart(second)
    await until(1)
    await writers.stop()
    isOver = true
    await reading

    const rows = await second.run(
      'crosswalk',
      `select event_id from event where org_id = '${orgId}' and type = 'contact.updated'`,
    )
    const there = new Set(rows.map(({ event_id: eventId }) => String(eventId)))
    const read = new Set(reader.eventIds)
    const report = {
      missed: there.difference(read).size,
      repeated: reader.eventIds.length - read.size,
      invented: read.difference(there).size,
      disorder: reader.disorder,
    }
    console.log(`${there.size} events of ${writers.committed} acknowledged:`, report)
    expect(report).toEqual({ missed: 0, repeated: 0, invented: 0, disorder: 0 })
    expect(there.size).toBeGreaterThanOrEqual(writers.committed)
    server.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  },
)
