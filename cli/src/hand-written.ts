import type { Command } from './command.ts'

/** The commands that are written by hand, by name. A command is imported only when it is used. */
export const handWritten: ReadonlyMap<string, () => Promise<Command>> = new Map<
  string,
  () => Promise<Command>
>([
  ['login', async () => (await import('./commands/login.ts')).login],
  ['whoami', async () => (await import('./commands/whoami.ts')).whoami],
  ['profiles use', async () => (await import('./commands/profiles.ts')).useProfile],
  ['profiles remove', async () => (await import('./commands/profiles.ts')).removeProfile],
  ['profiles', async () => (await import('./commands/profiles.ts')).profiles],
  ['api', async () => (await import('./commands/api.ts')).api],
  ['admin', async () => (await import('./commands/admin.ts')).admin],
])
