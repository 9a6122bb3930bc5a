// Compares a server at PostgreSQL with servers behind PgBouncer, in session and in transaction mode. They take turns.
//   node bench/endpoints/poolers.ts [--rounds 3] [--seconds 3]
import { chmodSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startTiedProcess } from '../../src/platform/db/embedded/tied-process.ts'
import { pageNamed } from '../../test/support/markdown.ts'
import { freePort } from '../../test/support/own-postgres.ts'
import { connected, openBench } from '../support/installation.ts'
import { compareServers } from './servers-in-turns.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string', default: '3' } },
})
const password = 'bench'
const guideBlock = (language: string) =>
  pageNamed('docs/operating/poolers.md').blocks.find((block) => block.language === language)!.text

const bench = await openBench()
const folder = mkdtempSync(join(tmpdir(), 'crosswalk-pgbouncer-'))
/** Starts PgBouncer as the guide says, at the socket of the embedded PostgreSQL. */
async function startPgBouncer() {
  await connected(bench.url, (client) => client.query(guideBlock('sql').replace('<password>', password)))
  const socketDir = new URL(bench.url).searchParams.get('host')!
  const target = `host=${socketDir} port=5432 dbname=crosswalk`
  const port = await freePort()
  const settings = guideBlock('ini')
    .replace(
      /^crosswalk = .*$/m,
      ['session', 'transaction'].map((mode) => `${mode} = ${target} pool_mode=${mode}`).join('\n'),
    )
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/etc/pgbouncer/userlist.txt', join(folder, 'userlist.txt'))
  writeFileSync(join(folder, 'userlist.txt'), `"pgbouncer" "${password}"\n`)
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings}unix_socket_dir =\n`)
  // The socket is private to the user of PostgreSQL, who must read the settings.
  chmodSync(folder, 0o755)
  const { uid, gid } = statSync(socketDir)
  const log = openSync(join(folder, 'log'), 'a')
  const bouncer = await startTiedProcess(
    ['/usr/sbin/pgbouncer', join(folder, 'pgbouncer.ini')],
    { uid, gid },
    log,
  )
  const url = (mode: string) => {
    const pooled = new URL(bench.url)
    pooled.search = ''
    return Object.assign(pooled, { host: `127.0.0.1:${port}`, pathname: `/${mode}` }).toString()
  }
  const answers = () => connected(url('session'), (client) => client.query('select 1')).catch(() => false)
  while (!(await answers())) await delay(20)
  return { pid: bouncer.pid, url, stop: () => bouncer.shutDown('fast') }
}

let stop: (() => void) | undefined
try {
  const bouncer = await startPgBouncer()
  const { pid: besides, url } = bouncer
  stop = bouncer.stop
  const pooled = (mode: string, settings = {}) =>
    bench.serve({ ROLE: 'api', DATABASE_URL: url(mode), DIRECT_DATABASE_URL: bench.url, ...settings })
  const servers = {
    'no pooler': await bench.serve({ ROLE: 'api' }),
    session: { ...(await pooled('session')), besides },
    transaction: { ...(await pooled('transaction', { POOLER: 'transaction' })), besides },
  }
  await compareServers(bench, servers, { rounds: Number(values.rounds), seconds: Number(values.seconds) })
} finally {
  await bench.close()
  stop?.()
  rmSync(folder, { recursive: true, force: true })
}
