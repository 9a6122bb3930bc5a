import type { Command } from './command.ts'

/**
 * The commands that are written by hand, by name. A command is imported only when it is used. If one name is the
 * beginning of another, the longer name comes first.
 */
export const handWritten: ReadonlyMap<string, () => Promise<Command>> = new Map<
  string,
  () => Promise<Command>
>([
  ['login', async () => (await import('./commands/login.ts')).login],
  ['whoami', async () => (await import('./commands/whoami.ts')).whoami],
  ['profiles use', async () => (await import('./commands/profiles.ts')).useProfile],
  ['profiles remove', async () => (await import('./commands/profiles.ts')).removeProfile],
  ['profiles', async () => (await import('./commands/profiles.ts')).profiles],
  ['import', async () => (await import('./commands/import.ts')).importCommand],
  ['duplicates review', async () => (await import('./commands/duplicates-review.ts')).duplicatesReview],
  ['calls place', async () => (await import('./commands/calls-place.ts')).callsPlace],
  ['push leads', async () => (await import('./commands/push.ts')).pushLeads],
  ['push contacts', async () => (await import('./commands/push.ts')).pushContacts],
  ['events tail', async () => (await import('./commands/events-tail.ts')).eventsTail],
  ['listen', async () => (await import('./commands/listen.ts')).listen],
  ['trigger', async () => (await import('./commands/trigger.ts')).trigger],
  ['webhooks verify', async () => (await import('./commands/webhooks-verify.ts')).webhooksVerify],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcp],
  ['api', async () => (await import('./commands/api.ts')).api],
  ['completion', async () => (await import('./commands/completion.ts')).completion],
  ['admin', async () => (await import('./commands/admin.ts')).admin],
])
