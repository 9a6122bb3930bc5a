import { type ChildProcess, fork } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

import { insertKey, tokenOf } from '../../src/keys/keys.ts'
import { createOrg, setCeilings } from '../../src/orgs/operator.ts'
import { operatorOf } from '../../src/platform/actor.ts'
import { projectRoot } from '../../src/platform/config.ts'
import { Database } from '../../src/platform/db/database.ts'
import { startEmbedded } from '../../src/platform/db/embedded/embedded.ts'
import { OrgTx } from '../../src/platform/db/org-tx.ts'
import { system } from '../../src/platform/db/system.ts'
import { createLog } from '../../src/platform/log.ts'
import { prepareDatabase } from '../../src/prepare-database.ts'

/** A process that answers requests, and accepts messages. */
export type Process = { address: string; pid: number; tell(message: object): Promise<void> }

export type Bench = {
  folder: string
  url: string
  database: Database
  newOrg(options?: { isAgency: boolean }): Promise<{ orgId: string; token: string }>
  /**
   * Starts a server as a separate process, with additional settings. Returns its address.
   * @param program starts the server; by default, `src/main.ts`
   */
  serve(settings?: Record<string, string>, program?: string): Promise<Process>
  /** Starts a script that sends its port. */
  start(script: string, args: string[]): Promise<Process>
  close(): Promise<void>
}

/** Runs `work` with a connection of the owner, and then closes the connection. */
export async function connected<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const rootKey: Buffer = Buffer.alloc(32, 'bench key')

/** @param folder keeps the database for the next run; by default, the database is deleted */
export async function openBench(folder?: string): Promise<Bench> {
  const log = createLog('error')
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'crosswalk-bench-'))
  mkdirSync(dataDir, { recursive: true })
  // PostgreSQL's user must enter the folder, which contains the database.
  chmodSync(dataDir, 0o711)
  const postgres = await startEmbedded({ dataDir, log, role: 'server' })
  const { roles } = await prepareDatabase(postgres.url, rootKey, log)
  const database = new Database({ url: postgres.url, rootKey, roles, log })
  const children: ChildProcess[] = []
  const run = (script: string, args: string[], env: Record<string, string>) =>
    new Promise<Process>((resolve, reject) => {
      const child = fork(join(projectRoot, script), args, {
        env: { ...process.env, CONSOLE: '0', ...env },
        execArgv: ['--max-semi-space-size=8'],
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        serialization: 'advanced',
      })
      children.push(child)
      const tell = (message: object) =>
        new Promise<void>((told) => {
          child.once('message', () => told())
          child.send(message)
        })
      child.on('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
      child.on('message', (port) => resolve({ address: `http://127.0.0.1:${port}`, pid: child.pid!, tell }))
      child.stdout?.on('data', (chunk) => {
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk)) ?? []
        // The port, or null for a worker.
        if (address || /ready, as a worker/.test(String(chunk)))
          resolve({ address: address ?? '', pid: child.pid!, tell })
      })
    })
  return {
    folder: postgres.folder,
    url: postgres.url,
    database,
    newOrg: ({ isAgency } = { isAgency: false }) =>
      system(database).transact(async (tx) => {
        const orgId = await createOrg(tx, { name: 'Bench', isAgency, country: 'US' })
        await setCeilings(tx, orgId, { perSecond: null, perMinute: null })
        const key = { name: 'Bench', mode: 'live', isAgency } as const
        const made = await insertKey(new OrgTx(tx, operatorOf(orgId)), key)
        return { orgId, token: tokenOf(made) }
      }),
    serve: (settings = {}, program = 'src/main.ts') =>
      run(program, [], {
        DATABASE_URL: postgres.url,
        ENCRYPTION_KEY: rootKey.toString('base64'),
        PORT: '0',
        LOG_LEVEL: 'info',
        ...settings,
      }),
    start: (script, args) => run(script, args, {}),
    async close() {
      for (const child of children) {
        child.removeAllListeners('exit')
        child.kill('SIGKILL')
      }
      await database.close()
      await postgres.stop('fast')
      if (folder === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
