import { z } from 'zod'
import { tool } from '../tool.ts'

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
      mailbox_id: z.string().optional().describe('This mailbox, or template_id.'),
      template_id: z.string().optional().describe('All mailboxes of this template.'),
      version: z.int().optional().describe('The version of the template; by default the latest.'),
    }),
    confirm: async (args, { caller }) => ({
      question:
        args.mailbox_id === undefined
          ? 'Install this signature in all mailboxes of the template?'
          : 'Install this signature in the mailbox?',
      facts: args,
      isOutside: caller.mode === 'live',
    }),
    run: async ({ mailbox_id, template_id, version }, { call, idempotencyKey }) => {
      const body = version === undefined ? {} : { version }
      const { data } =
        mailbox_id === undefined
          ? await call('push_signature_template', { params: { template_id }, body, idempotencyKey })
          : await call('push_mailbox', { params: { mailbox_id }, body, idempotencyKey })
      return data
    },
  }),
]
