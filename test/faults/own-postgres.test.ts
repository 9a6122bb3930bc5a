import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { prepareDatabase } from '../../src/prepare-database.ts'
import {
  advisedSql,
  describeEachPostgres,
  key,
  modeOf,
  newOwnedDatabase,
  otherKey,
  refusal,
  silent,
} from '../support/each-postgres.ts'
import { useEveryFeature } from '../support/exercise.ts'
import { installedPostgres } from '../support/own-postgres.ts'

const installed = installedPostgres()
if (installed.length === 0)
  test.runIf(process.env.CI === 'true')(
    'own PostgreSQL: SKIPPED, because neither /usr/lib/postgresql/*/bin nor the PATH has initdb and postgres ' +
      '(apt-get install postgresql; CI needs them)',
    () => expect(installed).not.toEqual([]),
  )

describeEachPostgres((server, major) => {
  describe('roles', () => {
    test('the server works if the migrating role is a superuser', async () => {
      await server().run('postgres', 'create database crosswalk')
      await useEveryFeature(server().url('crosswalk'), key)
      expect(await modeOf(server().url('crosswalk'))).toBe('login')
    })

    test('the server works if the migrating role is an ordinary role that may create roles', async () => {
      const url = await newOwnedDatabase(server(), 'owner', 'createrole')
      await useEveryFeature(url, key)
      expect(await modeOf(url)).toBe('login')
    })

    test('the server works if the migrating role may not create roles, and an administrator created and granted them', async () => {
      const url = await newOwnedDatabase(server(), 'owner', '')
      await server().run(
        'postgres',
        'create role crosswalk_app nologin',
        'create role crosswalk_limited nologin',
        'create role crosswalk_system nologin',
        'grant crosswalk_app to crosswalk_limited',
        'grant crosswalk_app, crosswalk_limited, crosswalk_system to owner',
      )
      await useEveryFeature(url, key)
      expect(await modeOf(url)).toBe('set-role')
    })

    test('if the migrating role has no rights, the server works after an administrator runs the statements of the error', async () => {
      const url = await newOwnedDatabase(server(), 'The "Owner"', '')
      const statements = advisedSql(await refusal(url))
      expect(statements).toEqual([
        'create role crosswalk_app nologin;',
        'create role crosswalk_limited nologin;',
        'create role crosswalk_system nologin;',
        'grant crosswalk_app to crosswalk_limited;',
        'grant crosswalk_app, crosswalk_limited, crosswalk_system to "The ""Owner""";',
      ])
      await server().run('postgres', ...statements.slice(0, 3))
      expect(advisedSql(await refusal(url))).toEqual(statements.slice(3))
      await server().run('postgres', ...statements.slice(3))
      await useEveryFeature(url, key)
      expect(await modeOf(url)).toBe('set-role')
    })
  })

  describe('shared servers', () => {
    const first = async () => {
      await server().run('postgres', 'create database first')
      expect(await modeOf(server().url('first'))).toBe('login')
    }
    const stillLogsIn = async () => expect(await modeOf(server().url('first'))).toBe('login')

    test('with the same encryption key, two installations on one server share the roles', async () => {
      await first()
      expect(await modeOf(await newOwnedDatabase(server(), 'second', '', 'second'))).toBe('login')
    })

    test('with two encryption keys, two installations on one server both work: the second keeps the passwords of the first', async () => {
      await first()
      await server().run('postgres', 'create database second')
      const lines: { msg: string; level: number }[] = []
      const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
      expect((await prepareDatabase(server().url('second'), otherKey, log)).roles).toBe('set-role')
      expect(lines).toMatchObject([{ level: 40, msg: expect.stringContaining('another Crosswalk') }])
      await useEveryFeature(server().url('second'), otherKey)
      await stillLogsIn()
    })

    test('with two encryption keys, two installations on one server both work if the second owner is an ordinary role', async () => {
      await first()
      const url = await newOwnedDatabase(server(), 'second', 'createrole', 'second')
      // Up to PostgreSQL 15, CREATEROLE is enough to grant oneself any role that is not a superuser.
      if (major >= 16) await server().run('postgres', ...advisedSql(await refusal(url, otherKey)))
      expect(await modeOf(url, otherKey)).toBe('set-role')
      await stillLogsIn()
    })

    test('two installations on one server can start for the first time concurrently, each with several processes', async () => {
      await server().run('postgres', 'create database first', 'create database second')
      const children = await Promise.all([
        migrateElsewhere(server().url('first'), key),
        migrateElsewhere(server().url('first'), key),
        migrateElsewhere(server().url('second'), otherKey),
      ])
      expect(children).toEqual([expect.anything(), expect.anything(), expect.anything()])
      const [one, two, three] = children.map(({ applied, roles }) => ({ applied: applied.length, roles }))
      expect([one!.applied, two!.applied].sort()).toEqual([0, three!.applied])
      expect(one!.roles).toBe(two!.roles)
      expect([one!.roles, three!.roles].sort()).toEqual(['login', 'set-role'])
    })
  })

  describe('encryption keys', () => {
    test('another encryption key is refused until an operator confirms the change', async () => {
      const url = await newOwnedDatabase(server(), 'owner', 'createrole')
      await prepareDatabase(url, key, silent)
      expect(await refusal(url, otherKey)).toContain('migrate --new-key')
      expect(await modeOf(url)).toBe('login')
      // The old passwords stay until an operator confirms that no other installation needs them.
      expect((await prepareDatabase(url, otherKey, silent, { oldKey: null, loseSecrets: false })).roles).toBe(
        'set-role',
      )
      await useEveryFeature(url, otherKey)
      expect(await refusal(url, key)).toContain('migrate --new-key')
      await server().run(
        'postgres',
        'alter role crosswalk_app nologin',
        'alter role crosswalk_limited nologin',
        'alter role crosswalk_system nologin',
      )
      expect(await modeOf(url, otherKey)).toBe('login')
    })
  })
})

async function migrateElsewhere(url: string, rootKey: Buffer): Promise<{ applied: string[]; roles: string }> {
  const preparing = pathToFileURL(join(import.meta.dirname, '../../src/prepare-database.ts'))
  const log = pathToFileURL(join(import.meta.dirname, '../../src/platform/log.ts'))
  const program = `
    import { prepareDatabase } from '${preparing}'
    import { createLog } from '${log}'
    const [url, key] = process.argv.slice(1)
    process.stdout.write(JSON.stringify(await prepareDatabase(url, Buffer.from(key, 'hex'), createLog('silent'))))`
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', program, url, rootKey.toString('hex')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.on('data', (data) => {
    said += data
  })
  const [status] = await once(child, 'close')
  expect(status).toBe(0)
  return JSON.parse(said)
}
