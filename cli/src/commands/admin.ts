import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from '../command.ts'
import { UsageError } from '../exit.ts'

export const admin: Command = {
  name: 'admin',
  args: ['[…]'],
  isOpen: true,
  summary: "Run an operator's command, inside an installation",
  description:
    'Passes everything to `npm run crosswalk --`, which works on the database of the installation. See docs/reference/commands.md.',
  examples: ['admin help', 'admin orgs list'],
  async run(_context, { args }) {
    const root = new URL('../../../', import.meta.url)
    const program = fileURLToPath(new URL('src/cli.ts', root))
    if (!existsSync(program))
      throw new UsageError(
        "There is no installation here. Operators' commands work on the database: run this inside a checkout of Crosswalk, or npm run crosswalk -- there.",
      )
    const child = spawn(process.execPath, ['--max-semi-space-size=8', program, ...args], { stdio: 'inherit' })
    // A terminal sends Ctrl-C to both processes, but `kill` reaches only this one.
    process.once('SIGTERM', () => child.kill('SIGTERM'))
    const [status] = await once(child, 'close')
    return status ?? 1
  },
}
