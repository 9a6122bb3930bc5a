import { buffer } from 'node:stream/consumers'
import { WebhookVerificationError } from '../../../sdk/src/main.ts'
import { verifyWebhook } from '../../../sdk/src/webhooks.ts'
import type { Command } from '../command.ts'
import { secretHelp } from '../config/key-help.ts'
import { existingSecret } from '../config/webhook-secret.ts'
import { Failure, UsageError } from '../exit.ts'
import { fileText } from '../file-text.ts'

export const webhooksVerify: Command = {
  name: 'webhooks verify',
  args: [],
  summary: 'Check the signature of a webhook that you received',
  description: `Reads the body, byte for byte, from standard input, and prints the event. The exit code is 1 if the signature is not valid. ${secretHelp}`,
  flags: {
    header: {
      value: "'name: value'",
      many: true,
      text: 'A header of the webhook: webhook-id, webhook-timestamp and webhook-signature.',
    },
    headers: { value: 'path', text: 'A file with the headers, one on each line, as curl -i prints them.' },
    'max-age': { value: 'seconds', text: 'The greatest age of the webhook; 300 by default, 0 for any age.' },
  },
  examples: ['webhooks verify --headers headers.txt < body.json'],
  async run(context, { values }) {
    const { io } = context
    const secret = existingSecret(context)
    if (io.stdin.isTTY) throw new UsageError('Pass the body of the webhook on standard input: < body.json')
    const lines = [
      ...((values.header as string[] | undefined) ?? []),
      ...fileLines(values.headers as string | undefined),
    ]
    if (lines.length === 0)
      throw new UsageError(
        "Pass the headers of the webhook: --headers headers.txt, or --header 'webhook-id: …'.",
      )
    const headers = Object.fromEntries(
      lines.flatMap((line) => {
        const at = line.indexOf(':')
        return at < 1 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]]
      }),
    )
    const maxAge = (values['max-age'] as string | undefined) ?? '300'
    const seconds = Number(maxAge)
    if (maxAge.trim() === '' || !Number.isInteger(seconds) || seconds < 0)
      throw new UsageError(`--max-age must be a whole number of seconds, not "${maxAge}".`)
    const body = new Uint8Array(await buffer(io.stdin))
    const toleranceSeconds = seconds || Number.POSITIVE_INFINITY
    const event = await verifyWebhook(body, headers, secret, { toleranceSeconds }).catch((error) => {
      throw error instanceof WebhookVerificationError ? new Failure(error.message) : error
    })
    await context.say(context.style.green('The signature is valid.'))
    await context.result.value(event, { idMember: 'event_id' })
    return undefined
  },
}

const fileLines = (path: string | undefined): string[] =>
  path === undefined ? [] : fileText(path).split(/\r?\n/)
