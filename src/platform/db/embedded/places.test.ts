import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  ask,
  cleanUp,
  homeOf,
  postmaster,
  readyDataDir,
  removeTestFolder,
  start,
  startOther,
  testFolder,
} from './testing.ts'
import { canEnter, isRoot, nobody } from './user.ts'

afterEach(cleanUp)
afterAll(removeTestFolder)

const root = isRoot()
const nobodyCanRun =
  root && canEnter(import.meta.dirname, nobody()) && canEnter(dirname(process.execPath), nobody())

describe('as root', () => {
  test.runIf(root)('as root, PostgreSQL runs as a separate user', async () => {
    const dataDir = await readyDataDir()
    await start(dataDir, 'server')
    const { uid } = fs.statSync(`/proc/${postmaster(dataDir)}`)
    expect(uid).toBeGreaterThanOrEqual(60_706)
    expect(uid).toBeLessThanOrEqual(61_183)
    expect(modeOf(homeOf(dataDir), 'cluster')).toBe(0o700)
    expect(modeOf(homeOf(dataDir), 'run')).toBe(0o700)
    expect(fs.statSync(join(homeOf(dataDir), 'password')).uid).toBe(0)
  })

  test.runIf(root)('the database of a folder that only root may enter is in another place', async () => {
    const dataDir = join(testFolder, 'locked', 'data')
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const server = await start(dataDir, 'server')
    const home = homeOf(dataDir)
    try {
      expect(home).toMatch(/^\/var\/lib\/crosswalk\/[0-9a-f]{12}$/)
      expect(await ask(server.url, 'select 1')).toBe(1)
      expect((await startOther(dataDir, 'guest')).answer).toEqual({ url: server.url, adopted: true })
      expect((await startOther(dataDir, 'server')).answer.error).toBe('DataDirInUse')
      expect(fs.readdirSync(dataDir)).toEqual(['postgres.json'])
      await server.stop('fast')
      fs.renameSync(home, `${home}-away`)
      const gone = `The database of ${dataDir} should be in ${home}, but is missing: restore that folder, or delete ${dataDir}/postgres.json to begin with an empty one.`
      await expect(start(dataDir, 'server')).rejects.toThrow(gone)
    } finally {
      await cleanUp()
      fs.rmSync(home, { recursive: true, force: true })
      fs.rmSync(`${home}-away`, { recursive: true, force: true })
    }
  })

  test.runIf(root)('a restored copy without its owner and modes is repaired', async () => {
    const dataDir = await readyDataDir()
    const cluster = join(homeOf(dataDir), 'cluster')
    for (const path of ['', ...fs.readdirSync(cluster, { recursive: true, encoding: 'utf8' })]) {
      fs.chownSync(join(cluster, path), 0, 0)
    }
    fs.chmodSync(cluster, 0o755)
    expect(await ask((await start(dataDir, 'server')).url, 'select 1')).toBe(1)
  })
})

describe('as an ordinary user', () => {
  test.runIf(nobodyCanRun)('as an ordinary user, all files belong to that user', async () => {
    const dataDir = join(testFolder, 'of-nobody')
    fs.mkdirSync(dataDir, { mode: 0o700 })
    fs.chownSync(dataDir, nobody().uid, nobody().gid)
    const server = await startOther(dataDir, 'server', nobody())
    expect(server.answer.adopted).toBe(false)
    expect(await ask(server.answer.url!, 'select 1')).toBe(1)
    expect((await startOther(dataDir, 'guest', nobody())).answer.adopted).toBe(true)
    await server.stop('fast')
    // root runs a server as the owner of its folder
    expect(await ask((await start(dataDir, 'server')).url, 'select 1')).toBe(1)
    expect(fs.statSync(`/proc/${postmaster(dataDir)}`).uid).toBe(nobody().uid)
  })

  test.runIf(nobodyCanRun)('a folder or a database of somebody else is refused in one sentence', async () => {
    const message = async (dataDir: string) => (await startOther(dataDir, 'server', nobody())).answer.message
    const parent = join(testFolder, 'closed')
    fs.mkdirSync(parent, { mode: 0o755 })
    expect(await message(join(parent, 'data'))).toBe(
      `Crosswalk has no permission to use ${parent}/data: give it to the user that runs Crosswalk, or set DATA_DIR to another folder.`,
    )
    const dataDir = await readyDataDir()
    expect(await message(dataDir)).toMatch(
      /^Crosswalk has no permission to use .*\/shared: give it to the user/,
    )
    fs.chmodSync(join(dataDir, 'postgres.json'), 0o644)
    expect(await message(dataDir)).toMatch(
      /belongs to another user \(uid \d+\): run Crosswalk as the user who/,
    )
  })
})

describe('a folder', () => {
  test('a folder of a database may be moved to any depth', async () => {
    const dataDir = await readyDataDir()
    const deep = join(testFolder, 'deep-'.repeat(40), 'with a space, a comma and \' " %41')
    fs.mkdirSync(dirname(deep), { mode: 0o711 })
    fs.renameSync(dataDir, deep)
    try {
      const server = await start(deep, 'server')
      expect(await ask(server.url, 'select 1')).toBe(1)
      const { socketDir } = JSON.parse(fs.readFileSync(join(deep, 'postgres.json'), 'utf8'))
      expect(basename(socketDir)).toMatch(/^crosswalk-/)
      expect(modeOf(socketDir)).toBe(0o700)
      expect((await startOther(deep, 'guest')).answer).toEqual({ url: server.url, adopted: true })
      await server.stop('fast')
      expect(fs.existsSync(socketDir)).toBe(false)
    } finally {
      await cleanUp()
      fs.renameSync(deep, dataDir)
    }
  })

  test('a folder of a database may have special characters in its name', async () => {
    const dataDir = await readyDataDir()
    const odd = join(testFolder, 'a b,c\'"%41+é')
    fs.renameSync(dataDir, odd)
    try {
      expect(await ask((await start(odd, 'server')).url, 'select 1')).toBe(1)
    } finally {
      await cleanUp()
      fs.renameSync(odd, dataDir)
    }
  })

  test('a folder with data of another PostgreSQL version is refused with an error that says what to do', async () => {
    const dataDir = await readyDataDir()
    const file = join(homeOf(dataDir), 'cluster/PG_VERSION')
    const version = fs.readFileSync(file, 'utf8')
    fs.writeFileSync(file, '17\n')
    await expect(start(dataDir, 'server')).rejects.toThrow(
      /was made by PostgreSQL 17, and this Crosswalk has PostgreSQL 18: start the Crosswalk that made it, and move the data/,
    )
    fs.writeFileSync(file, version)
  })

  test('the error for a folder says what to do if its path is a file, or its content is foreign or damaged', async () => {
    const file = join(testFolder, 'file')
    fs.writeFileSync(file, '')
    await expect(start(file, 'server')).rejects.toThrow(`${file} is not a folder: set DATA_DIR to one`)
    const other = join(testFolder, 'other')
    fs.mkdirSync(join(other, 'postgres/holiday-pictures'), { recursive: true })
    await expect(start(other, 'server')).rejects.toThrow(
      `${other}/postgres contains no database: move it away`,
    )
    fs.writeFileSync(join(other, 'postgres.json'), '{"home": "po')
    await expect(start(other, 'server')).rejects.toThrow(`${other}/postgres.json is damaged: delete it if`)
  })

  test('a folder with invalid PostgreSQL settings is refused with PostgreSQL’s message', async () => {
    const dataDir = await readyDataDir()
    const file = join(homeOf(dataDir), 'cluster/postgresql.conf')
    const before = fs.readFileSync(file, 'utf8')
    fs.writeFileSync(file, `${before}work_mem = plenty\n`)
    await expect(start(dataDir, 'server')).rejects.toThrow(
      /PostgreSQL did not start: configuration file ".*postgresql.conf" contains errors \(see .*postgres.log\)/,
    )
    fs.writeFileSync(file, `${before}work_mem = 7MB\n`)
    expect(await ask((await start(dataDir, 'server')).url, 'show work_mem')).toBe('7MB')
  })
})

const modeOf = (...path: string[]) => fs.statSync(join(...path)).mode & 0o777
