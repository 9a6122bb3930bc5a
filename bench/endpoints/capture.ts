import { Client } from 'pg'
import { startApp } from '../../src/app.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { type Bench, rootKey } from '../support/installation.ts'

export type SentStatement = { text: string; values: readonly unknown[]; role?: string; database?: string }

export type Capture = {
  /** Returns the statements that the server runs for the request of `ask`, without those of authentication. */
  of(ask: (address: string) => Promise<unknown>): Promise<SentStatement[]>
  close(): Promise<void>
}

/** Records the statements of this process, without those that prepare a session, bind a transaction to its org, or end it. */
export function recordStatements(): { start(): void; stop(): SentStatement[]; close(): void } {
  const { prototype } = Client
  const original = prototype.query as (...given: unknown[]) => unknown
  let sent: SentStatement[] | null = null
  prototype.query = function (this: Client & { user?: string; database?: string }, ...given: unknown[]) {
    const { text, values } = given[0] as { text?: string; values?: unknown[] }
    if (
      sent &&
      text !== undefined &&
      this.user?.startsWith('crosswalk_') &&
      !/^(begin|commit|rollback|set )/.test(text)
    )
      if (!text.includes(`set_config('app.org_id'`))
        sent.push({ text, values: values ?? [], role: this.user!, database: this.database! })
    return original.apply(this, given)
  } as never
  return {
    start() {
      sent = []
    },
    stop() {
      const statements = sent ?? []
      sent = null
      return statements
    },
    close() {
      prototype.query = original as never
    },
  }
}

/** A server in this process that reports the statements of a request. */
export async function startCapture(bench: Bench): Promise<Capture> {
  const statements = recordStatements()
  const config = { ...readConfig({ ROLE: 'api' }), port: 0 }
  const app = await startApp(config, createLog('error'), bench.url, rootKey)
  return {
    async of(ask) {
      statements.start()
      await ask(app.address!)
      return statements.stop().filter(({ role }) => role === 'crosswalk_app')
    },
    async close() {
      await app.close()
      statements.close()
    },
  }
}
