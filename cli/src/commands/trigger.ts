import type { Command } from '../command.ts'
import { webhookSecret } from '../config/webhook-secret.ts'
import { answerLine, forward, isAccepted, receiverAddress } from '../events/forward.ts'
import { exitCodes, UsageError } from '../exit.ts'
import { write } from '../io.ts'
import { nearest } from '../nearest.ts'
import { jsonOf, visible } from '../output/visible.ts'

export const trigger: Command = {
  name: 'trigger',
  args: ['<type>'],
  summary: 'Send the sample of an event type to a program on this machine, signed',
  description:
    'The command changes nothing in Crosswalk. Without --forward-to, it prints the sample. `crosswalk webhooks event-types list` lists the types.',
  flags: {
    'forward-to': {
      value: 'address',
      text: 'The address of your program, such as localhost:3000/hook, or its port.',
    },
  },
  examples: ['trigger contact.created --forward-to localhost:3000/hook', 'trigger deal.closed'],
  async run(context, { args: [type = ''], values }) {
    const { io, style } = context
    const types = await context.client().webhooks.eventTypes.list({ signal: io.signal })
    const found = types.find((one) => one.type === type)
    if (!found) {
      const near = nearest(
        type,
        types.map((one) => one.type),
      )
      throw new UsageError(`There is no event type "${type}".${near ? ` Did you mean ${near}?` : ''}`)
    }
    const id = crypto.randomUUID()
    const now = new Date()
    const sample = {
      ...found.sample,
      ...{ event_id: id, timestamp: now.toISOString(), created_at: Math.floor(now.getTime() / 1000) },
    }
    if (values['forward-to'] === undefined) {
      await write(io.stdout, `${jsonOf(sample, 2)}\n`)
      return undefined
    }
    const address = receiverAddress(String(values['forward-to']))
    const delivered = await forward(address, await webhookSecret(context), id, sample, io.signal)
    await context.say(`--> ${type} ${id} to ${visible(address)}`)
    await context.say(answerLine(delivered, style))
    return isAccepted(delivered) ? exitCodes.done : exitCodes.refused
  },
}
