import { parseArgs } from 'node:util'
import { explaining, type Installation, openInstallation } from '../installation.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { Database } from '../platform/db/database.ts'
import { hasDatabaseFolder } from '../platform/db/embedded/database-folder.ts'
import { type SystemScope, system } from '../platform/db/system.ts'
import { EncryptionKeys } from '../platform/encryption-keys.ts'
import { createLog, type Log } from '../platform/log.ts'
import { OperatorError } from '../platform/report.ts'
import { prepareForCommand } from '../prepare-database.ts'

export type Values = Record<string, string | boolean | undefined>

/**
 * An option: a flag such as `--agency`, or `--name <text>`, where `value` is the word in the brackets. `missing` is
 * added to the error about a required option that is missing.
 */
export type Option = { value?: string; required?: true; missing?: string }

/** Prints a document with --json, otherwise lines for people. */
export type Print = (document: unknown, lines: string[]) => void

export type CommandContext = {
  config: Config
  log: Log
  installation: Installation
  database: Database
  scope: SystemScope
  print: Print
}

export type Command = {
  /** The words that call the command, such as `orgs create`. */
  name: string
  /** The arguments in the form of the help: `<name>`, or `[name]` if it is optional. */
  args: string[]
  summary: string
  options?: Record<string, Option>
  /** Whether the command creates the database and its schema if there is none. Other commands fail. */
  makesDatabase?: true
  /** The work with an open database. A command has this or `runWithoutDatabase`. */
  run?(desk: CommandContext, args: string[], values: Values): Promise<void>
  runWithoutDatabase?(print: Print, values: Values, args: string[]): Promise<void>
}

/** Runs a command with its arguments. With --json, the last line of standard output is one JSON document. */
export async function runCommand(command: Command, argv: string[]): Promise<void> {
  const { positionals, values } = readArguments(command, argv)
  const print: Print = (document, lines) => {
    process.stdout.write(`${values.json ? JSON.stringify(document) : lines.join('\n')}\n`)
  }
  if (command.runWithoutDatabase) await command.runWithoutDatabase(print, values, positionals)
  else await withDatabase(print, async (desk) => command.run?.(desk, positionals, values), command)
}

/** @throws OperatorError if DATA_DIR has no database */
export function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== null || hasDatabaseFolder(dataDir)) return
  throw new OperatorError(
    `There is no database in ${dataDir}: npm start creates one. If the server has another data folder, run: ` +
      'DATA_DIR=<its folder> npm run crosswalk -- …',
  )
}

/**
 * Runs work with an open database that has this version's schema.
 * @param makesMonths whether to make missing months of the event log, which every write needs
 * @throws OperatorError if there is no such database, and the command may not create it
 */
export async function withDatabase(
  print: Print,
  work: (desk: CommandContext) => Promise<void>,
  { makesDatabase = false, makesMonths = true }: { makesDatabase?: boolean; makesMonths?: boolean } = {},
): Promise<void> {
  const config = readConfig()
  if (!makesDatabase) requireDatabase(config)
  const log = commandLog(config)
  const installation = await openInstallation(config, log, 'guest')
  try {
    const { databaseUrl: url, rootKey, oldKey } = installation
    const { roles, roleKey } = await explaining(
      installation,
      prepareForCommand(installation, log, { makesDatabase, makesMonths }),
    )
    const systemName = new EncryptionKeys(rootKey, oldKey).announcement
    const limits = { appConnections: 4, systemConnections: 2 }
    const database = new Database({ url, rootKey: roleKey, roles, systemName, log, ...limits })
    try {
      await explaining(
        installation,
        work({ config, log, installation, database, scope: system(database), print }),
      )
    } finally {
      await database.close()
    }
  } finally {
    await installation.embedded?.stop('smart')
  }
}

/** Returns the log of a command: warnings and errors only, because the command prints its own result. */
export function commandLog(config: Config): Log {
  return createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
}

function readArguments(command: Command, argv: string[]): { positionals: string[]; values: Values } {
  try {
    const options = Object.entries(command.options ?? {})
    const { positionals, values } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(
          options.map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]),
        ),
      },
    })
    const missing = command.args[positionals.length]
    if (missing?.startsWith('<')) throw new OperatorError(`${missing} is missing.`)
    const more = positionals[command.args.length]
    if (more !== undefined) throw new OperatorError(`"${more}" is an unexpected argument.`)
    const left = options.find(([name, { required }]) => required && !(values as Values)[name])
    if (left) {
      const [name, { missing }] = left
      throw new OperatorError(`--${name} is missing${missing ? `: ${missing}` : ''}.`)
    }
    return { positionals, values: values as Values }
  } catch (error) {
    const [message] = (error as Error).message.split('. To specify')
    throw new OperatorError(`${message}\nUsage: npm run crosswalk -- ${usage(command)}`)
  }
}

/** Returns the usage line of a command, such as `orgs create <name> [--agency]`. */
export function usage({ name, args, options = {} }: Command): string {
  const flags = Object.entries(options).map(([flag, { value, required }]) => {
    const written = value ? `--${flag} ${value}` : `--${flag}`
    return required ? written : `[${written}]`
  })
  return [name, ...args, ...flags].join(' ')
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads an id, and returns it in lower case. @throws OperatorError */
export function readId(value: string | undefined, what: string): string {
  if (value === undefined || !uuid.test(value))
    throw new OperatorError(
      `${what} must be an id such as 0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a, not "${value}".`,
    )
  return value.toLowerCase()
}
