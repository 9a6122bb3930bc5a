import { flagsLast, readArguments } from './arguments.ts'
import { requireCommandColumns } from './command-columns.ts'
import { Context } from './context.ts'
import { exitCodes } from './exit.ts'
import { exitCodeOf, failureText } from './failure-text.ts'
import { commandsBelow, type FoundCommand, findCommand, wordsOf } from './find-command.ts'
import type { Values } from './flag.ts'
import { commandHelp, listHelp } from './help.ts'
import { type Io, write } from './io.ts'
import { printsOnly } from './operations/dry-run.ts'
import { say } from './output/say.ts'

/** Runs a command line, and returns its exit code. */
export async function run(typed: readonly string[], io: Io): Promise<number> {
  if (typed[0] === '__complete') return printCompletions(typed.slice(1), io)
  const argv = flagsLast(typed)
  let found: FoundCommand | null = null
  try {
    const help = await helpFor(argv, io)
    if (help !== null) {
      await write(io.stdout, help)
      return exitCodes.done
    }
    found = await findCommand(argv)
    const given = readArguments(found.command, found.rest)
    await requireCommandColumns(found.command, given.values.columns)
    const context = new Context(io, given.values)
    if (sendsRequests(found, given.values)) await context.checkTarget()
    const code = await found.command.run(context, given)
    return io.signal.aborted ? exitCodes.interrupted : (code ?? exitCodes.done)
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted
    await say(io, `crosswalk: ${failureText(error, found)}`)
    return exitCodeOf(error)
  }
}

/** Commands that store settings, print texts or check signatures. They use no target organization. */
const localCommands = /^(login|profiles|completion|admin|trigger|webhooks verify)\b/

const sendsRequests = ({ command, operation }: FoundCommand, values: Values): boolean =>
  !localCommands.test(command.name) &&
  !values['print-secret'] &&
  !(operation !== null && printsOnly(operation, values))

/** Returns the help that a command line asks for; null if it asks for none. */
async function helpFor(argv: readonly string[], io: Io): Promise<string | null> {
  const width = io.stdout.columns ?? 100
  const end = argv.indexOf('--')
  const before = end < 0 ? argv : argv.slice(0, end)
  const isAsked =
    before.length === 0 || before[0] === 'help' || before.includes('--help') || before.includes('-h')
  // What follows `admin` belongs to the operator's command.
  if (!isAsked || before[0] === 'admin') return null
  const words = wordsOf(before[0] === 'help' ? before.slice(1) : before)
  if (words.length > 0) {
    const found = await findCommand(words).catch(() => null)
    if (found) return commandHelp(found.command, width)
    const below = await commandsBelow(words)
    if (below.length > 0) return listHelp(below, width)
    await findCommand(words)
  }
  const { overview } = await import('./overview.ts')
  return overview(width)
}

/** What the scripts of `crosswalk completion` call: prints a word on each line. */
async function printCompletions(typed: readonly string[], io: Io): Promise<number> {
  const { completions } = await import('./completion/candidates.ts')
  await write(io.stdout, (await completions(typed, io)).map((word) => `${word}\n`).join(''))
  return exitCodes.done
}
