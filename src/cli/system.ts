import { openInstallation } from '../installation.ts'
import { type Config, pooledAddress, readConfig } from '../platform/config.ts'
import { readOldEncryptionKey } from '../platform/encryption-key.ts'
import { OperatorError } from '../platform/report.ts'
import type { EncryptionKeyChange } from '../platform/secrets/reseal.ts'
import { inspectDatabase } from '../platform/setup/inspect.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { changeKey } from './change-key.ts'
import { type Command, commandLog, type Print, requireDatabase, type Values } from './command.ts'
import { doctor } from './doctor.ts'

/** The server is loaded only here, so that other commands start faster. */
async function serveAs(configure: () => Config): Promise<void> {
  const { start } = await import('../start.ts')
  await start(configure)
}

function readKeyChange(config: Config, values: Values): EncryptionKeyChange | null {
  const loseSecrets = values['lose-secrets'] === true
  if (values['new-key'] === true) return { oldKey: readOldEncryptionKey(config), loseSecrets }
  if (loseSecrets) throw new OperatorError('--lose-secrets needs --new-key.')
  return null
}

/** Prints the migrations that `migrate` would apply, and changes nothing. */
async function printPending(print: Print, config: Config, values: Values): Promise<void> {
  if (values['new-key']) throw new OperatorError('--dry-run shows migrations only: leave out --new-key.')
  requireDatabase(config)
  const { databaseUrl, embedded } = await openInstallation(config, commandLog(config), 'guest')
  try {
    const { pending, poolerFault, serverFault } = await inspectDatabase(databaseUrl, pooledAddress(config))
    const fault = poolerFault ?? serverFault
    if (fault !== null) throw new OperatorError(fault)
    const lines = pending.map((name) => `Would apply migrations/${name}`)
    print({ pending }, lines.length > 0 ? lines : ['The schema is up to date.'])
  } finally {
    await embedded?.stop('smart')
  }
}

export const systemCommands: Command[] = [
  {
    name: 'serve',
    args: [],
    summary: 'Run the server (npm start does)',
    runWithoutDatabase: () => serveAs(readConfig),
  },
  {
    name: 'worker',
    args: [],
    summary: 'Run only the background jobs',
    runWithoutDatabase: () => serveAs(() => ({ ...readConfig(), role: 'worker' })),
  },
  {
    name: 'migrate',
    args: [],
    summary: 'Migrate the database to the schema of this version, or to a changed encryption key',
    options: { 'dry-run': {}, 'new-key': {}, 'lose-secrets': {} },
    async runWithoutDatabase(print, values) {
      const config = readConfig()
      if (values['dry-run']) return printPending(print, config, values)
      const log = commandLog(config)
      const newKey = readKeyChange(config, values)
      const { databaseUrl, rootKey, oldKey, embedded } = await openInstallation(config, log, 'guest')
      try {
        const pooled = pooledAddress(config)
        const { applied, secrets } = await prepareDatabase(databaseUrl, rootKey, log, newKey, {
          oldKey,
          pooled,
        })
        const lines =
          applied.length > 0 ? applied.map((name) => `Applied ${name}`) : ['The schema is up to date.']
        if (secrets) lines.push(`Secrets sealed again: ${secrets.resealed}; deleted: ${secrets.lost}.`)
        print({ applied, ...(secrets && { secrets }) }, lines)
      } finally {
        await embedded?.stop('smart')
      }
    },
  },
  changeKey,
  {
    name: 'database-url',
    args: [],
    summary: 'Print the address of the database, password included',
    async runWithoutDatabase(print) {
      const config = readConfig()
      requireDatabase(config)
      const { databaseUrl, embedded } = await openInstallation(config, commandLog(config), 'guest')
      print({ database_url: databaseUrl }, [databaseUrl])
      if (embedded?.adopted === false) {
        process.stderr.write('No server runs now: the address works while one does (npm start).\n')
      }
      await embedded?.stop('smart')
    },
  },
  doctor,
]
