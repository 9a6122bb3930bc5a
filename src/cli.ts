import { type Command, runCommand, usage } from './cli/command.ts'
import { OperatorError, reportAndExit } from './platform/report.ts'

/** A command group is imported only when it is used, so that commands start faster. */
const groups = new Map<string, () => Promise<readonly Command[]>>([
  ['orgs', async () => (await import('./cli/orgs.ts')).orgCommands],
  ['keys', async () => (await import('./cli/keys.ts')).keyCommands],
  ['members', async () => (await import('./cli/members.ts')).memberCommands],
  ['import', async () => (await import('./cli/import.ts')).importCommands],
  ['duplicates', async () => (await import('./cli/duplicates.ts')).duplicateCommands],
  ['jobs', async () => (await import('./cli/jobs.ts')).jobCommands],
  ['webhooks', async () => (await import('./cli/webhooks.ts')).webhookCommands],
  ['voice', async () => (await import('./cli/voice.ts')).voiceCommands],
])

async function commandsOf(word: string | undefined): Promise<readonly Command[]> {
  const group = groups.get(word ?? '')
  if (group) return group()
  const { systemCommands } = await import('./cli/system.ts')
  if (systemCommands.some(({ name }) => name === word)) return systemCommands
  const others = await Promise.all([...groups.values()].map((load) => load()))
  return [...others.flat(), ...systemCommands]
}

const widthMax = 104

/** Wraps a text to lines of at most `widthMax` characters. Later lines are indented. An option and its value stay on one line. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const part of text.match(/\[[^\]]*\]|\S+/g) ?? []) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + part.length > widthMax) lines.push(part)
    else lines[lines.length - 1] = `${line} ${part}`
  }
  return lines.join('\n      ')
}

function help(shown: readonly Command[]): string {
  const lines = shown.map((command) => `  ${wrapped(usage(command))}\n      ${wrapped(command.summary)}`)
  return `Usage: npm run crosswalk -- <command>\n\n${lines.join('\n')}\n\nWith --json the last line of standard output is one JSON document.\n`
}

async function main(typed: string[]): Promise<void> {
  const argv = typed[0] === 'help' ? typed.slice(1) : typed
  const commands = await commandsOf(argv[0])
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => argv[index] === word))
  if (typed.length === 0 || argv !== typed || argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help(command ? [command] : commands))
    return
  }
  if (!command) {
    const near = commands.filter(({ name }) => name.split(' ')[0] === argv[0])
    const isBeginning = near.length > 0 && argv.length === 1
    const problem = isBeginning
      ? `"${argv[0]}" is only the beginning of a command.`
      : `There is no command "${argv.slice(0, 2).join(' ')}".`
    throw new OperatorError(`${problem}\n\n${help(near.length > 0 ? near : commands)}`)
  }
  await runCommand(command, argv.slice(command.name.split(' ').length))
}

await main(process.argv.slice(2)).catch(reportAndExit)
