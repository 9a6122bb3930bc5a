import { z } from 'zod'
import { WrongArguments } from '../failure-text.ts'
import { type ToolRequest, tool } from '../tool.ts'

export const signatureTools = [
  tool({
    name: 'push_signature',
    title: 'Install an e-mail signature',
    description:
      'Installs the signature of one mailbox, or of all mailboxes of a template, in a version of the template. Ids and versions come from list_options about mailboxes. A person must confirm it. Follow it with get_job.',
    kind: 'idempotent write',
    isOpenWorld: true,
    scopes: ['signatures:write'],
    input: z.object({
      mailbox_id: z.string().optional().describe('The mailbox. Send this or template_id.'),
      template_id: z.string().optional().describe('All mailboxes of this template.'),
      version: z.int().optional().describe('The version of the template; by default the latest.'),
    }),
    confirm: async (args, request) => ({
      ...(await described(args, request)),
      isOutside: request.caller.mode === 'live',
    }),
    run: async ({ version, ...target }, { call, idempotencyKey }) => {
      const name = isMailbox(target) ? 'push_mailbox' : 'push_signature_template'
      return (await call(name, { params: target, body: { version }, idempotencyKey })).data
    },
  }),
]

type Target = { mailbox_id?: string | undefined; template_id?: string | undefined }

function isMailbox({ mailbox_id, template_id }: Target): boolean {
  if ((mailbox_id === undefined) === (template_id === undefined))
    throw new WrongArguments('Send either mailbox_id or template_id.')
  return mailbox_id !== undefined
}

/** The question before a push: it names the address of the mailbox, or the template and its number of mailboxes. */
async function described(args: Target, { call }: ToolRequest) {
  if (isMailbox(args)) {
    const { email } = (await call<{ email: string }>('get_mailbox', { params: args })).data
    return { question: `Install the signature in the mailbox ${email}?`, facts: { ...args, email } }
  }
  const { data } = await call<{ name: string; mailboxes: number }>('get_signature_template', { params: args })
  const { name, mailboxes } = data
  const question = `Install the signature "${name}" in all its mailboxes (${mailboxes})?`
  return { question, facts: { ...args, name, mailboxes } }
}
