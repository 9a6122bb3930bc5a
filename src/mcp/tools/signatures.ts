import { z } from 'zod'
import { WrongArguments } from '../failure-text.ts'
import { type ToolRequest, tool } from '../tool.ts'

export const signatureTools = [
  tool({
    name: 'push_signature',
    title: 'Install an e-mail signature',
    description:
      'Installs the signature of one mailbox, or of all mailboxes of a template. Ids and versions come from list_options about mailboxes. A person must confirm the install. Follow it with get_job.',
    kind: 'idempotent write',
    isOpenWorld: true,
    scopes: ['signatures:write'],
    input: z.object({
      // list_options gives a number, and an event or a job a text.
      mailbox_id: z
        .union([z.int(), z.string()])
        .transform(String)
        .optional()
        .describe('The mailbox. Send this or template_id.'),
      template_id: z.string().optional().describe('All mailboxes of this template.'),
      version: z
        .int()
        .optional()
        .describe(
          'The version of the mailbox or template, if it must be this one; by default the current one.',
        ),
    }),
    confirm: async (args, request) => {
      const { question, facts, version } = await described(targetOf(args), request)
      const isOutside = request.caller.mode === 'live'
      return { question, facts: { ...facts, version: args.version ?? version }, isOutside }
    },
    run: async (args, request) => {
      const { call, idempotencyKey } = request
      const target = targetOf(args)
      const version = args.version ?? (await described(target, request)).version
      const name = 'mailbox_id' in target ? 'push_mailbox' : 'push_signature_template'
      return (await call(name, { params: target, body: { version }, idempotencyKey })).data
    },
  }),
]

type Target = { mailbox_id: string } | { template_id: string }

type Sent = { mailbox_id?: string | undefined; template_id?: string | undefined }

function targetOf({ mailbox_id, template_id }: Sent): Target {
  if (mailbox_id !== undefined && template_id === undefined) return { mailbox_id }
  if (template_id !== undefined && mailbox_id === undefined) return { template_id }
  throw new WrongArguments('Send either mailbox_id or template_id.')
}

type Described = { question: string; facts: Record<string, unknown>; version: number }

/**
 * The question before a push: it names the address of the mailbox, or the template and its number of mailboxes. `version`
 * is the current one.
 */
async function described(target: Target, { call }: ToolRequest): Promise<Described> {
  if ('mailbox_id' in target) {
    const { data } = await call<{ email: string; version: number }>('get_mailbox', { params: target })
    const { email, version } = data
    const question = `Install the signature in the mailbox ${email}?`
    return { question, facts: { ...target, email }, version }
  }
  type Template = { name: string; mailboxes: number; version: number }
  const { data } = await call<Template>('get_signature_template', { params: target })
  const { name, mailboxes, version } = data
  const question = `Install the signature "${name}" in all its mailboxes (${mailboxes})?`
  return { question, facts: { ...target, name, mailboxes }, version }
}
