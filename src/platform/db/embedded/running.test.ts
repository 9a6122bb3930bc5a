import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  ask,
  cleanUp,
  homeOf,
  isAlive,
  logged,
  newDataDir,
  postmaster,
  readyDataDir,
  removeTestFolder,
  session,
  start,
  startOther,
  waitUntil,
} from './testing.ts'

afterEach(cleanUp)
afterAll(removeTestFolder)

describe('a server', () => {
  test('a server creates the database at its first start, and uses the same database later', async () => {
    const dataDir = newDataDir()
    const first = await start(dataDir, 'server')
    expect(first.adopted).toBe(false)
    expect(await ask(first.url, 'select current_user || current_database()')).toBe('crosswalkcrosswalk')
    expect(await ask(first.url, `select ${facts}`)).toEqual({
      superuser: true,
      encoding: 'UTF8',
      locale: 'b C.UTF-8 C',
      checksums: 'on',
      listen: '',
      hba: ['scram-sha-256', 'scram-sha-256'],
      check: '500ms',
    })
    await ask(first.url, 'create table kept as select 1 as one')
    await first.stop('fast')
    const second = await start(dataDir, 'server')
    expect(await ask(second.url, 'select one from kept')).toBe(1)
  })

  test('the sessions of PostgreSQL have a lower priority than the server', async () => {
    const { url } = await start(newDataDir(), 'server')
    // The session stays open: its process must not end before its priority is read.
    const client = await session(url)
    const { pid } = (await client.query('select pg_backend_pid() as pid')).rows[0]
    expect(getPriority(pid)).toBe(Math.min(getPriority() + 5, 19))
  })

  test('a server does not show the database password to other processes', async () => {
    const dataDir = await readyDataDir()
    const { url } = await start(dataDir, 'server')
    const secret = fs.readFileSync(join(homeOf(dataDir), 'password'), 'utf8').trim()
    expect(new URL(url).password).toBe(secret)
    expect(secret).toMatch(/^[0-9a-f]{48}$/)
    expect(fs.statSync(join(homeOf(dataDir), 'password')).mode & 0o777).toBe(0o600)
    const found = spawnSync('grep', ['-rlF', '--exclude-dir=postgresql-*', secret, dataDir], {
      encoding: 'utf8',
    }).stdout
    expect(found.trim()).toBe(join(homeOf(dataDir), 'password'))
    expect(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout ?? '').not.toContain(secret)
    await expect(ask(url.replace(secret, 'guessed'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
  })

  test('a server has no session in its database, so the database can be copied as a template', async () => {
    const { url } = await start(await readyDataDir(), 'server')
    const admin = url.replace('/crosswalk?', '/postgres?')
    await ask(admin, 'drop database if exists copied')
    await ask(admin, 'create database copied template crosswalk')
    expect(await ask(admin, `select count(*)::int from pg_database where datname = 'copied'`)).toBe(1)
  })

  test('a server refuses a folder that another process uses, and its error names that process', async () => {
    const dataDir = await readyDataDir()
    const other = await startOther(dataDir, 'server')
    const expected = `The data folder ${dataDir} is already in use (crosswalk server, process ${other.pid}): stop that process first, or set DATA_DIR to another folder.`
    await expect(start(dataDir, 'server')).rejects.toThrow(expected)
    expect(await ask(other.answer.url!, 'select 1')).toBe(1)
    await other.stop('fast')
    await start(dataDir, 'server')
  })

  test('a server is the only one to start if two servers start at once on an empty folder', async () => {
    const dataDir = newDataDir()
    const both = await Promise.all([startOther(dataDir, 'server'), startOther(dataDir, 'server')])
    expect(both.map(({ answer }) => answer.error ?? 'up').sort()).toEqual(['DataDirInUse', 'up'])
    const winner = both.find(({ answer }) => answer.url)!
    expect(await ask(winner.answer.url!, 'select 1')).toBe(1)
    expect(fs.readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.json'])
  })
})

describe('a guest', () => {
  test('a guest uses the PostgreSQL of a running server and leaves it running', async () => {
    const dataDir = await readyDataDir()
    const server = await start(dataDir, 'server')
    const guest = await startOther(dataDir, 'guest')
    expect(guest.answer).toEqual({ url: server.url, adopted: true })
    await guest.stop('smart')
    expect(await ask(server.url, 'select 1')).toBe(1)
  })

  test('a guest starts PostgreSQL if none runs, and the last guest stops it', async () => {
    const dataDir = await readyDataDir()
    const owner = await startOther(dataDir, 'guest')
    expect(owner.answer.adopted).toBe(false)
    const guest = await start(dataDir, 'guest')
    expect(guest.adopted).toBe(true)
    const pid = postmaster(dataDir)
    const stopping = owner.stop('smart')
    for (let n = 0; n < 20; n++) expect(await ask(guest.url, 'select 1')).toBe(1)
    await guest.stop('smart')
    await stopping
    expect(isAlive(pid)).toBe(false)
  })

  test('a guest that started PostgreSQL makes a starting server wait', async () => {
    const dataDir = await readyDataDir()
    const { pid } = await startOther(dataDir, 'guest')
    await expect(start(dataDir, 'server')).rejects.toThrow(`(crosswalk command, process ${pid})`)
  })

  test('a guest waits until a stopping PostgreSQL has ended, and starts its own', async () => {
    const dataDir = await readyDataDir()
    const owner = await startOther(dataDir, 'guest')
    const straggler = await session(owner.answer.url!) // like a session of psql: not a guest, but a smart shutdown waits for it
    const before = postmaster(dataDir)
    const stopping = owner.stop('smart')
    await waitUntil('it takes no more sessions', () =>
      ask(owner.answer.url!, 'select 1').then(
        () => false,
        (error) => error.code === '57P03',
      ),
    )
    const guest = start(dataDir, 'guest')
    await waitUntil('the guest says that it waits', () =>
      logged.some((line) => line.includes('waiting for it')),
    )
    await straggler.end()
    await stopping
    expect((await guest).adopted).toBe(false)
    expect(postmaster(dataDir)).not.toBe(before)
  })

  test('a guest is disconnected by a fast shutdown, which also ends a smart shutdown', async () => {
    const dataDir = await readyDataDir()
    const server = await start(dataDir, 'server')
    const guest = await startOther(dataDir, 'guest')
    const patient = server.stop('smart')
    await server.stop('fast')
    await patient
    await expect(ask(guest.answer.url!, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  })
})

const facts = `json_build_object(
  'superuser', (select rolsuper from pg_roles where rolname = current_user),
  'encoding', current_setting('server_encoding'),
  'locale', (select concat_ws(' ', datlocprovider, datlocale, datcollate) from pg_database where datname = 'crosswalk'),
  'checksums', current_setting('data_checksums'),
  'listen', current_setting('listen_addresses'),
  'hba', (select json_agg(auth_method) from pg_hba_file_rules),
  'check', current_setting('client_connection_check_interval'))`
