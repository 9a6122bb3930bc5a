import { type Command, runCommand, usage } from './cli/command.ts'
import { duplicateCommands } from './cli/duplicates.ts'
import { importCommands } from './cli/import.ts'
import { jobCommands } from './cli/jobs.ts'
import { keyCommands } from './cli/keys.ts'
import { orgCommands } from './cli/orgs.ts'
import { systemCommands } from './cli/system.ts'
import { voiceCommands } from './cli/voice.ts'
import { OperatorError, reportAndExit } from './platform/report.ts'

const commands: readonly Command[] = [
  ...orgCommands,
  ...keyCommands,
  ...importCommands,
  ...duplicateCommands,
  ...jobCommands,
  ...voiceCommands,
  ...systemCommands,
]

function help(shown: readonly Command[] = commands): string {
  const lines = shown.map((command) => `  ${usage(command)}\n      ${command.summary}`)
  return `Usage: npm run crosswalk -- <command>\n\n${lines.join('\n')}\n\nWith --json the last line of standard output is one JSON document.\n`
}

async function main(argv: string[]): Promise<void> {
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => argv[index] === word))
  if (argv.length === 0 || argv[0] === 'help' || argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help(command ? [command] : commands))
    return
  }
  if (!command) {
    const near = commands.filter(({ name }) => name.split(' ')[0] === argv[0])
    throw new OperatorError(
      `There is no command "${argv.slice(0, 2).join(' ')}".\n\n${help(near.length > 0 ? near : commands)}`,
    )
  }
  await runCommand(command, argv.slice(command.name.split(' ').length))
}

await main(process.argv.slice(2)).catch(reportAndExit)
