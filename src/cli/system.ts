import { prepareDatabase } from '../app.ts'
import { openInstallation } from '../installation.ts'
import { readConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { OperatorError } from '../platform/report.ts'
import { version } from '../platform/version.ts'
import { serve } from '../serve.ts'
import type { Command } from './command.ts'

/** A URL without its password. */
function withoutPassword(url: string): string {
  return url.replace(/:\/\/([^@/]*?):[^@/]*@/, '://$1:…@').replace(/([?&]password=)[^&]*/, '$1…')
}

export const systemCommands: Command[] = [
  {
    name: 'serve',
    args: [],
    summary: 'Run the server (npm start does)',
    alone: () => serve(readConfig),
  },
  {
    name: 'worker',
    args: [],
    summary: 'Run the background jobs alone',
    alone: () => serve(() => ({ ...readConfig(), role: 'worker' })),
  },
  {
    name: 'migrate',
    args: [],
    summary: "Bring the database to this version's schema, or to an encryption key that was changed",
    options: { 'new-key': {} },
    async alone(print, values) {
      const config = readConfig()
      const log = createLog('warn')
      const { databaseUrl, rootKey, embedded } = await openInstallation(config, log, 'guest')
      try {
        const { applied } = await prepareDatabase(databaseUrl, rootKey, log, values['new-key'] === true)
        print({ applied }, applied.length > 0 ? applied.map((name) => `applied ${name}`) : ['Nothing to do.'])
      } finally {
        await embedded?.stop('smart')
      }
    },
  },
  {
    name: 'database-url',
    args: [],
    summary: 'Print the address of the database, password included',
    async run({ installation, print }) {
      print({ database_url: installation.databaseUrl }, [installation.databaseUrl])
    },
  },
  {
    name: 'doctor',
    args: [],
    summary: 'Show the settings in force, versions and connectivity; no secrets',
    async run({ config, installation, scope, database, print }) {
      const [server] = await scope.readRows<{ version: string; roles: string; migrations: number }>({
        text: `select current_setting('server_version') as version, current_user::text as roles, 0 as migrations`,
        values: [],
      })
      if (!server) throw new OperatorError('The database does not answer.')
      const rls = await database.org('00000000-0000-7000-8000-000000000000').readRows<{ seen: number }>({
        text: 'select count(*)::int as seen from org',
        values: [],
      })
      const facts = {
        crosswalk: version,
        node: process.version,
        postgres: server.version,
        database: installation.embedded ? 'embedded' : withoutPassword(installation.databaseUrl),
        data_dir: config.dataDir,
        host: config.host,
        port: config.port,
        public_url: config.publicUrl,
        role: config.role,
        log_level: config.logLevel,
        trust_proxy: config.trustProxy,
        import_max_bytes: config.importMaxBytes,
        metrics_token: config.metricsToken === null ? 'not set' : 'set',
        tenant_isolation:
          rls[0]?.seen === 0 ? 'in force' : 'NOT in force: the app role sees rows of other organizations',
      }
      const width = Math.max(...Object.keys(facts).map((name) => name.length))
      print(
        facts,
        Object.entries(facts).map(([name, value]) => `${name.padEnd(width)}  ${value ?? 'not set'}`),
      )
    },
  },
]
