import { type Command, runCommand, usage } from './cli/command.ts'
import { importCommands } from './cli/import.ts'
import { keyCommands } from './cli/keys.ts'
import { orgCommands } from './cli/orgs.ts'
import { systemCommands } from './cli/system.ts'
import { OperatorError, reportAndExit } from './platform/report.ts'

const commands: readonly Command[] = [...orgCommands, ...keyCommands, ...importCommands, ...systemCommands]

function help(): string {
  const width = Math.max(...commands.map((command) => usage(command).length))
  const lines = commands.map((command) => `  ${usage(command).padEnd(width)}  ${command.summary}`)
  return `Usage: npm run crosswalk -- <command>\n\n${lines.join('\n')}\n\nWith --json the last line of standard output is one JSON document.\n`
}

async function main(argv: string[]): Promise<void> {
  if (argv.length === 0 || argv[0] === 'help' || argv.includes('--help')) {
    process.stdout.write(help())
    return
  }
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => argv[index] === word))
  if (!command) throw new OperatorError(`There is no command "${argv.slice(0, 2).join(' ')}".\n\n${help()}`)
  await runCommand(command, argv.slice(command.name.split(' ').length))
}

await main(process.argv.slice(2)).catch(reportAndExit)
