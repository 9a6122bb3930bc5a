import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Command, usageOf } from './command.ts'
import { keyHelp } from './config/key-help.ts'
import { UsageError } from './exit.ts'
import { commonFlags, type Flag, type ParsedArguments, type Values } from './flag.ts'
import { nearest } from './nearest.ts'

/** Flags that people try. Each is refused, because other users of the machine can read a command line. */
const secretFlags = ['api-key', 'key', 'token', 'secret', 'password']

const filterFlag = /^([\w-]+\[\w+\]|custom\.[^=]+)$/

/** Moves flags before the command behind it: `crosswalk --profile acme whoami`. */
export function flagsLast(argv: readonly string[]): string[] {
  let at = 0
  for (let word = argv[at]; word?.startsWith('-') && word !== '--'; word = argv[at]) {
    const flag = Object.entries(commonFlags).find(
      ([name, { short }]) => word === `--${name}` || word === `-${short}`,
    )
    at += flag?.[1].value === undefined ? 1 : 2
  }
  return [...argv.slice(at), ...argv.slice(0, at)]
}

/** @throws UsageError for an unknown flag, with the nearest one, and for a missing or an unexpected argument */
export function readArguments(command: Command, typed: readonly string[]): ParsedArguments {
  if (command.isOpen) return { args: [...typed], values: {} }
  const words = typed.map(withHyphens)
  const flags = { ...commonFlags, ...command.flags, ...filterFlags(command, words) }
  const argv = withValues(words, flags)
  const options = Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, optionOf(flag)]))
  refuseUnknown(command, argv, flags, options)
  const { positionals: args, values } = parsed(command, argv, options)
  const missing = command.args[args.length]
  if (missing?.startsWith('<')) throw wrong(command, `${missing} is missing.`)
  if (args.length > command.args.length)
    throw wrong(command, `"${args[command.args.length]}" is an unexpected argument.`)
  for (const [name, { required, choices }] of Object.entries(flags)) {
    const value = values[name]
    if (required && value === undefined) throw wrong(command, `--${name} is missing.`)
    if (name in commonFlags && choices && value !== undefined && !choices.includes(String(value)))
      throw wrong(command, `--${name} must be ${choices.join(', ')}, not "${value}".`)
  }
  return { args, values }
}

/** `--first_name` means `--first-name`. */
const withHyphens = (word: string): string =>
  word.replace(/^--[a-z][\w-]*(?=$|=)/i, (flag) => flag.replaceAll('_', '-'))

/** Joins a flag with a value that begins with a minus, such as `--sort -created_at`: `parseArgs` would refuse it. */
function withValues(argv: readonly string[], flags: Record<string, Flag>): string[] {
  const joined: string[] = []
  for (const word of argv) {
    const last = joined.at(-1) ?? ''
    const takesValue = last.startsWith('--') && flags[last.slice(2)]?.value !== undefined
    if (takesValue && /^-[^-]/.test(word)) joined[joined.length - 1] = `${last}=${word}`
    else joined.push(word)
  }
  return joined
}

const optionOf = ({ value, many, short }: Flag): NonNullable<ParseArgsOptionsConfig[string]> => ({
  type: value === undefined ? 'boolean' : 'string',
  ...(many ? { multiple: true } : {}),
  ...(short === undefined ? {} : { short }),
})

function filterFlags({ filters }: Command, argv: readonly string[]): Record<string, Flag> {
  const names = argv.flatMap((word) => (word.startsWith('--') ? [word.slice(2).split('=')[0] ?? ''] : []))
  const found = filters ? names.filter((name) => filterFlag.test(name)) : []
  return Object.fromEntries(found.map((name) => [name, { value: 'value', text: '' }]))
}

function refuseUnknown(
  command: Command,
  argv: string[],
  flags: Record<string, Flag>,
  options: ParseArgsOptionsConfig,
): void {
  const { tokens } = parseArgs({ args: argv, options, strict: false, allowNegative: true, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option' || token.name in options) continue
    const { name, rawName } = token
    const negated = name.startsWith('no-') ? flags[name.slice(3)] : undefined
    if (negated && negated.value === undefined) continue
    if (secretFlags.includes(name)) throw new UsageError(noSecretFlag(rawName))
    const meant = likelyFlag(name, Object.keys(flags))
    const hint = meant === null ? '' : ` Did you mean ${meant}?`
    throw wrong(command, `${usageOf({ ...command, args: [] })} has no flag ${rawName}.${hint}`)
  }
}

/** Returns the flag that a person probably means by an unknown one; null if none is likely. */
function likelyFlag(name: string, known: readonly string[]): string | null {
  if (commonFlags.output?.choices?.includes(name)) return `-o ${name}`
  if (name === 'format') return '--output'
  // A typo of one letter could mean any other flag of one letter, so suggest none.
  const near = name.length > 1 ? nearest(name, known) : null
  return near === null ? null : `--${near}`
}

const noSecretFlag = (flag: string) =>
  `There is no flag ${flag}: other users of this machine could read the key in the list of processes. ${keyHelp}`

function parsed(
  command: Command,
  args: string[],
  options: ParseArgsOptionsConfig,
): { positionals: string[]; values: Values } {
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true, allowNegative: true })
    return { positionals, values: values as Values }
  } catch (error) {
    const { message } = error as Error
    const [flag = message] = /--[\w-]+/.exec(message) ?? []
    throw wrong(command, `${flag} ${message.includes('does not take') ? 'takes no value' : 'needs a value'}.`)
  }
}

const wrong = (command: Command, problem: string): UsageError =>
  new UsageError(`${problem}\nUsage: ${usageOf(command)}\nFlags: ${usageOf({ ...command, args: [] })} --help`)
