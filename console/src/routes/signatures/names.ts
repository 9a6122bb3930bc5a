import type { Mailbox } from '../../../../sdk/src/generated/types.ts'

/** A name that a template can show, and its value in the chosen mailbox. */
export type TemplateName = { name: string; value: string }

const personaNames = ['persona.name', 'persona.role_title', 'persona.description']

/** The names that a template can show: those of every mailbox, and the fields of any of them. */
export function namesFor(
  mailboxes: readonly Mailbox[],
  chosen: Mailbox | null,
  orgName: string,
): readonly TemplateName[] {
  const fields = [...new Set(mailboxes.flatMap((mailbox) => Object.keys(mailbox.fields)))].sort()
  return [
    { name: 'display_name', value: chosen?.display_name ?? '' },
    { name: 'email', value: chosen?.email ?? '' },
    ...fields.map((name) => ({ name, value: chosen?.fields[name] ?? '' })),
    { name: 'org.name', value: orgName },
    ...personaNames.map((name) => ({ name, value: '' })),
  ]
}
