import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { prepareDatabase } from '../app.ts'
import { type Installation, openInstallation } from '../installation.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { Database } from '../platform/db/database.ts'
import { type SystemScope, system } from '../platform/db/system.ts'
import { createLog, type Log } from '../platform/log.ts'
import { OperatorError } from '../platform/report.ts'

export type Values = Record<string, string | boolean | undefined>

/** Prints the one document of --json, or else lines for people. */
export type Print = (document: unknown, lines: string[]) => void

/** What a command works with. */
export type Desk = {
  config: Config
  log: Log
  installation: Installation
  database: Database
  scope: SystemScope
  print: Print
}

/** One operator command: what is typed after `npm run crosswalk --`. */
export type Command = {
  /** `orgs create` */
  name: string
  /** `<name>`; as help shows them. */
  args: string[]
  summary: string
  options?: ParseArgsOptionsConfig
  /** What it does with an open database; a command has this or `alone`. */
  run?(desk: Desk, args: string[], values: Values): Promise<void>
  /** What it does by itself. */
  alone?(print: Print): Promise<void>
}

/** Runs a command with its arguments; --json makes the last line of standard output its one JSON document. */
export async function runCommand(command: Command, argv: string[]): Promise<void> {
  const { positionals, values } = readArguments(command, argv)
  const print: Print = (document, lines) => {
    process.stdout.write(`${values.json ? JSON.stringify(document) : lines.join('\n')}\n`)
  }
  if (command.alone) await command.alone(print)
  else await atDesk(print, async (desk) => command.run?.(desk, positionals, values))
}

async function atDesk(print: Print, work: (desk: Desk) => Promise<void>): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  const installation = await openInstallation(config, log, 'guest')
  try {
    const { databaseUrl: url, rootKey } = installation
    const { roles } = await prepareDatabase(url, rootKey, log)
    const database = new Database({ url, rootKey, roles, log, appConnections: 4, systemConnections: 2 })
    try {
      await work({ config, log, installation, database, scope: system(database), print })
    } finally {
      await database.close()
    }
  } finally {
    await installation.embedded?.stop('smart')
  }
}

function readArguments(command: Command, argv: string[]): { positionals: string[]; values: Values } {
  try {
    const { positionals, values } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { json: { type: 'boolean' }, ...command.options },
    })
    const needed = command.args.length
    if (positionals.length !== needed) {
      throw new OperatorError(
        positionals.length < needed ? 'An argument is missing.' : 'There is an argument too many.',
      )
    }
    return { positionals, values: values as Values }
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\nUsage: npm run crosswalk -- ${usage(command)}`)
  }
}

/** `orgs create <name> [--agency]` */
export function usage({ name, args, options = {} }: Command): string {
  const flags = Object.entries(options).map(
    ([flag, { type }]) => `[--${flag}${type === 'string' ? ' …' : ''}]`,
  )
  return [name, ...args, ...flags].join(' ')
}

/** An option that has to be there. @throws OperatorError */
export function required(values: Values, name: string): string {
  const value = values[name]
  if (typeof value !== 'string' || value === '') throw new OperatorError(`--${name} is missing.`)
  return value
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `value` as an id, in lower case. @throws OperatorError */
export function readId(value: string, what: string): string {
  if (!uuid.test(value))
    throw new OperatorError(
      `${what} must be an id such as 0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a, not "${value}".`,
    )
  return value.toLowerCase()
}
