import type { FollowedEvent } from '../../../sdk/src/main.ts'
import type { Command } from '../command.ts'
import { webhookSecret } from '../config/webhook-secret.ts'
import type { Context } from '../context.ts'
import { followEvents, followFlags } from '../events/follow-events.ts'
import { answerLine, type Delivered, forward, receiverAddress } from '../events/forward.ts'
import { UsageError } from '../exit.ts'
import type { ParsedArguments } from '../flag.ts'
import { write } from '../io.ts'
import { jsonOf, visible } from '../output/visible.ts'

export const listen: Command = {
  name: 'listen',
  args: [],
  summary: 'Send events to a program on this machine as signed webhooks',
  description:
    'Waits for events and posts each one to the address, signed as Crosswalk signs webhooks. This machine needs no port that is open to the internet. The command waits while the server restarts, and misses no event. If your program refuses an event, or accepts no connection for 6 s, the event is not sent again: repeat it with `--from`. `--print-secret` prints the signing secret, which stays the same: put it into the settings of your program.',
  flags: {
    'forward-to': {
      value: 'address',
      text: 'The address of your program, such as localhost:3000/hook, or its port.',
    },
    ...followFlags,
    'print-secret': { text: 'Prints the signing secret, and ends.' },
  },
  examples: [
    'listen --forward-to localhost:3000/hook',
    "listen --forward-to localhost:3000/hook --types 'contact.*,deal.closed' --from 1h",
  ],
  run,
}

async function run(context: Context, { values }: ParsedArguments): Promise<undefined> {
  const { io, style } = context
  const secret = await webhookSecret(context)
  if (values['print-secret']) {
    await write(io.stdout, `${secret}\n`)
    return undefined
  }
  if (values['forward-to'] === undefined)
    throw new UsageError('--forward-to is missing: the address of your program.')
  const address = receiverAddress(String(values['forward-to']))
  const client = context.client()
  await context.say(
    style.dim(`Waiting for events of ${context.access.baseUrl}, for ${address}. Ctrl-C ends it.`),
  )
  let last: string | null = null
  try {
    for await (const event of followEvents(client, values, 'object', io.signal)) {
      const { cursor, ...message } = event
      // Show the event before its answer: your program may need seconds for it.
      if (isForPeople(context)) await write(io.stdout, `--> ${visible(event.type)} ${event.event_id}\n`)
      const delivered = await forward(address, secret, event.event_id, message, io.signal)
      await printAnswer(context, event, delivered)
      if (!io.signal.aborted) last = cursor
    }
  } finally {
    if (last !== null) await context.say(`To continue with the next event: --from ${last}`)
  }
  return undefined
}

const isForPeople = ({ result }: Context) => result.format === 'table'

async function printAnswer(context: Context, event: FollowedEvent, delivered: Delivered): Promise<void> {
  const { type, event_id } = event
  const line = isForPeople(context)
    ? answerLine(delivered, context.style)
    : jsonOf({ type, event_id, ...delivered })
  await write(context.io.stdout, `${line}\n`)
}
