import type { Command } from '../command.ts'
import { scripts } from '../completion/scripts.ts'
import { UsageError } from '../exit.ts'
import { write } from '../io.ts'

export const completion: Command = {
  name: 'completion',
  args: ['<bash|zsh|fish>'],
  summary: 'Print a script that completes commands and flags in a shell',
  examples: [
    'completion bash >> ~/.bashrc',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/completions/crosswalk.fish',
  ],
  async run({ io }, { args: [shell = ''] }) {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell as keyof typeof scripts] : null
    if (script === null) throw new UsageError(`The shell must be bash, zsh or fish, not "${shell}".`)
    await write(io.stdout, script)
    return undefined
  },
}
